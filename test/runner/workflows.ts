// Roots with workflows of real programs, run by a server in this process or by one that can be killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Limits } from '../../src/domain/log/limits.ts'
import { hasEnded } from '../../src/domain/sessions/lifecycle.ts'
import { methodsOf } from '../../src/open.ts'
import { workflowLook } from '../../src/operations/workflow/look.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { RunFolder } from '../../src/runner/processes/run-folder.ts'
import { endProcesses } from '../../src/runner/processes/signals.ts'
import type { AgentLook, Look } from '../../src/runner/supervision/seen-rows.ts'
import type { Serving } from '../../src/serve.ts'
import { programOf } from '../setup/program.ts'
import { serveHere } from '../setup/serve-here.ts'
import type { OpenedLog, TestStore } from '../setup/stores.ts'

/** One root and the folder that it works in. */
export interface Work {
  readonly root: string
  readonly project: string
  readonly opened: OpenedLog
}

export const cairn = join(process.cwd(), 'bin/cairn')

/** A server in this process that runs workflows; agents that it leaves are ended with the test. */
export async function serving(store: TestStore): Promise<Serving> {
  const server = await serveHere({ ...store.options, port: 0, program: [process.execPath, cairn] })
  onTestFinished(() => server.stop())
  endRunsOf(store)
  return server
}

/** Nothing that was run is left when a test has ended. */
export function endRunsOf({ home }: TestStore): void {
  onTestFinished(async () => {
    const runs = join(home, 'runs')
    for (const run of exists(runs) ? readdirSync(runs) : []) {
      const folder = new RunFolder(home, run)
      if (membersOf(run, folder.process).length > 0) await endProcesses(folder, folder.process, 0)
    }
  })
}

function exists(folder: string): boolean {
  try {
    return readdirSync(folder).length >= 0
  } catch {
    return false
  }
}

export async function planned(store: TestStore, workflow: object): Promise<Work> {
  const project = mkdtempSync(join(tmpdir(), 'cairn-work-'))
  mkdirSync(project, { recursive: true })
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const opened = await store.openLog()
  const given = { strategy: 'adaptive', objective: 'a test', ...workflow }
  const input = { topic: 'a test', workflow: given, project_dir: project } as never
  const { session_id: root } = await methodsOf(opened).session.create(input)
  return { root, project, opened }
}

export async function begun(store: TestStore, workflow: object): Promise<Work> {
  const work = await planned(store, workflow)
  await start(work)
  return work
}

export async function start({ root, opened }: Work): Promise<void> {
  await methodsOf(opened).session.start({ session: root })
}

export async function look({ root, opened: { log, caller } }: Pick<Work, 'root' | 'opened'>): Promise<Look> {
  return (await log.execute(workflowLook as never, { session: root }, caller)) as Look
}

/** Waits until this holds of how everything stands, looking whenever something has happened. */
export async function until(work: Work, holds: (look: Look) => boolean): Promise<Look> {
  const { log, caller } = work.opened
  const found = await look(work)
  if (holds(found)) return found
  for await (const _ of log.follow(work.root, { since: found.seq }, caller)) {
    const now = await look(work)
    if (holds(now)) return now
  }
  throw new Error('the feed has ended')
}

/** How everything stands once the root has ended and nothing of it runs. */
export function ended(work: Work): Promise<Look> {
  return until(work, ({ status, agents }) => hasEnded(status) && agents.every(({ progress }) => progress.run === null))
}

export function agentOf({ agents }: Look, id: string): AgentLook {
  const found = agents.find(({ spec }) => spec.id === id)
  if (found === undefined) throw new Error(`there is no agent ${id}`)
  return found
}

export function statuses({ agents }: Look): Record<string, string> {
  return Object.fromEntries(agents.map(({ spec, status }) => [String(spec.id), status]))
}

export function exitOf(agent: AgentLook): Record<string, unknown> {
  return JSON.parse(agent.progress.exited ?? '{}')
}

export async function typesOf({ root, opened }: Work): Promise<string[]> {
  const { events } = await methodsOf(opened).log.list({ session: root, since: 0, limit: 1000 })
  return events.map(({ type }) => type)
}

/** Waits for an event of this type. */
export async function untilTyped({ root, opened: { log, caller } }: Work, type: string): Promise<void> {
  for await (const _ of log.follow(root, { since: 0, type }, caller)) return
}

/** A port that nobody listens on: a server that comes after another is found where that was. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** A server that is a process of its own. */
export interface Server {
  readonly child: ChildProcess
  readonly url: string
  kill(signal?: NodeJS.Signals): Promise<void>
}

export async function startServer(
  { options }: TestStore,
  { failpoint = '', limits = {}, port = 0 }: { failpoint?: string; limits?: Partial<Limits>; port?: number } = {},
): Promise<Server> {
  const args = [await programOf('test/runner/server.ts'), JSON.stringify({ ...options, limits, port }), cairn]
  const env = { ...process.env, CAIRN_FAILPOINT: failpoint }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal)
    await gone
  }
  onTestFinished(() => kill())
  const lines = createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]()
  const first = await Promise.race([lines.next(), gone.then(() => ({ value: '' }))])
  return { child, url: String(first.value), kill }
}
