import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sleep } from '../../../clock.ts'
import { printJson } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { Stage } from '../tour/stage.ts'
import { isEnded, type StatusShown } from '../workflow/status-shown.ts'
import { countsEach, demoWorkflow, racers } from './demo-workflow.ts'

const lookMs = 200

/** Runs a small workflow of local programs in a temporary folder, pauses it, kills its server, and goes on; 1 when a result is wrong. */
export async function runDemo(called: Called): Promise<number> {
  argumentsOf(called)
  const { json } = called
  const program = fileURLToPath(called.program.file)
  const stage = new Stage(program, json)
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort())
  try {
    await play(stage, program, interrupted.signal)
  } finally {
    await stage.run('down')
    stage.close()
  }
  const ok = !interrupted.signal.aborted && stage.checks.every(({ expected, found }) => expected === found)
  if (json) printJson({ ok, checks: stage.checks })
  return ok ? 0 : 1
}

async function play(stage: Stage, program: string, signal: AbortSignal): Promise<void> {
  const file = join(stage.project, 'demo.json')
  writeFileSync(file, JSON.stringify(demoWorkflow([process.execPath, program]), undefined, 2))
  stage.say('A workflow of local programs, in a temporary folder. Nothing in it costs money.')
  stage.title('1  A server in the background runs it')
  const server = await stage.ask('up', '--port', '0')
  const { session_id: root } = await begun(stage, file)
  const id = String(root).slice(-8)
  const until = (holds: (status: StatusShown) => boolean) => untilStatus(stage, id, holds, signal)
  await until((status) => agent(status, 'long')?.status === 'running')
  stage.show((await stage.type('status', id)).out)

  stage.title('2  It is paused: what runs stands still. Resumed, it goes on in the same place')
  stage.show((await stage.type('pause', id)).out)
  await until((status) => agent(status, 'long')?.status === 'paused')
  stage.show((await stage.type('resume', id, '--detach')).out)
  await until((status) => agent(status, 'long')?.status === 'running')

  stage.title('3  The server is killed. The agents live on, and the next server finds them')
  stage.command(`kill -9 ${server.pid}`)
  process.kill(Number(server.pid), 'SIGKILL')
  await stage.type('up', '--port', '0')
  const last = await until((status) => isEnded(status.session.status))
  stage.show((await stage.type('status', id)).out)
  stage.show((await stage.type('logs', id, '--agent', 'report')).out)
  if (signal.aborted) return

  stage.title('4  Nothing was lost and nothing was done twice')
  const hits = await stage.ask('state', 'get', 'hits', '--session', id)
  stage.check('hits, counted by three at once', racers.length * countsEach, Number(hits.value))
  stage.check(
    'agents that completed',
    last.agents.length,
    last.agents.filter(({ status }) => status === 'completed').length,
  )
  const ran = readFileSync(join(stage.project, 'ran'), 'utf8').trim().split('\n')
  const times = (what: string) => ran.filter((each) => each === what).length
  stage.check('runs of the agent that was paused and lost its server', 1, times('long'))
  stage.check('runs of the agent that crashed', 2, times('crash'))
}

async function begun(stage: Stage, file: string): Promise<Record<string, unknown>> {
  stage.command('cairn run demo.json --detach')
  return stage.ask('run', file, '--detach')
}

function agent({ agents }: StatusShown, id: string) {
  return agents.find((each) => each.id === id)
}

/** Asks until that is so, or all has ended. */
async function untilStatus(
  stage: Stage,
  id: string,
  holds: (status: StatusShown) => boolean,
  signal: AbortSignal,
): Promise<StatusShown> {
  for (;;) {
    const status = await stage.ask<StatusShown>('status', id)
    if (holds(status) || isEnded(status.session.status) || signal.aborted) return status
    await sleep(lookMs, signal)
  }
}
