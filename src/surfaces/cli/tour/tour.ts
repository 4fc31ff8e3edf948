import { fileURLToPath } from 'node:url'
import { openLog } from '../../../open.ts'
import { printJson } from '../output.ts'
import { argumentsOf } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { showConflict, showPast } from './history.ts'
import { showKill } from './killed.ts'
import { showRace } from './race.ts'
import { Stage } from './stage.ts'

/** Shows Cairn at work with real processes in a temporary folder; 1 when a result is not what it must be. */
export async function runTour(called: Called): Promise<number> {
  const { rest, json, program } = called
  if (rest[0] === 'worker') return (await import('./worker.ts')).work(rest[1] ?? '')
  argumentsOf(called)
  const stage = new Stage(fileURLToPath(program.file), json)
  process.once('exit', () => stage.close())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await play(stage)
  const ok = stage.checks.every(({ expected, found }) => expected === found)
  if (json) printJson({ ok, checks: stage.checks })
  return ok ? 0 : 1
}

async function play(stage: Stage): Promise<void> {
  stage.say('A tour of Cairn: real processes on a store in a temporary folder.')
  const sessions = await showSessions(stage)
  await showRace(stage, sessions)
  await showKill(stage)
  await showConflict(stage)
  const events = await showPast(stage)
  await showProof(stage, events)
  stage.title('What to try next, in a project of yours')
  stage.command('cairn session create --topic "…"')
  stage.command(`cairn state set plan '"first things first"'`)
  stage.command('cairn why plan')
  stage.command('cairn --help')
}

/** A root and three agents below it; the names of these. */
async function showSessions(stage: Stage): Promise<string[]> {
  stage.title('1  A piece of work, and three agents below it that share its state')
  await stage.type('session', 'create', '--topic', 'Faster parser')
  const { session_id: root } = await stage.ask('show')
  const parent = String(root).slice(-8)
  const children = { profile: 'Measure it', fix: 'Speed it up', review: 'Read it all' }
  for (const [name, topic] of Object.entries(children)) {
    await stage.type('session', 'create', '--topic', topic, '--name', name, '--parent', parent)
  }
  stage.show((await stage.type('tree')).out)
  return Object.keys(children)
}

/** The log is replayed, and everything else must be what the replay gives. */
async function showProof(stage: Stage, events: number): Promise<void> {
  stage.title(`6  The proof: all ${events} events are replayed and compared with what is stored`)
  const { log } = await openLog({ home: stage.home })
  const problems = await log.verify()
  await log.close()
  stage.check('differences between the log and the views', 0, problems.length)
}
