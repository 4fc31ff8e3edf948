// Starts real processes that open a store at the same time: each is `actor.ts`, acting as a session of its own.
import { type ChildProcess, fork } from 'node:child_process'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { CallTask, Done, Task } from './actor.ts'
import { programOf } from './program.ts'

export interface Actor {
  /** The same process, acting as another session. */
  as(session: string): Actor
  /** Calls one operation: the lists of `inputs` at once, the inputs of each list in order. */
  call(operation: string, inputs: CallTask['inputs']): Promise<Done[][]>
  /** So many callers at once add to a number by its version, trying again. */
  update(key: string, by: number, callers: number): Promise<Done[]>
  /** Starts moving amounts between keys; the answer of `stop` is how often it did. */
  transfer(keys: readonly string[]): { stop(): Promise<number> }
}

/** A process that has opened the store, as one session if given, and waits for its task. It ends with the test. */
export async function startActor(options: object, session = ''): Promise<Actor> {
  const { actor, stop } = await start(options, session)
  onTestFinished(stop)
  return actor
}

export function startActors(options: object, sessions: readonly string[]): Promise<Actor[]> {
  return Promise.all(sessions.map((session) => startActor(options, session)))
}

/** Processes for all tests of a `describe`: starting one takes longer than most of what is asked of it. */
export function sharedActors(options: () => object, size: number): () => readonly Actor[] {
  let started: Awaited<ReturnType<typeof start>>[] = []
  beforeAll(async () => {
    started = await Promise.all(Array.from({ length: size }, () => start(options(), '')))
  })
  afterAll(async () => {
    await Promise.all(started.map(({ stop }) => stop()))
  })
  return () => started.map(({ actor }) => actor)
}

async function start(options: object, session: string): Promise<{ actor: Actor; stop: () => Promise<void> }> {
  const env = { ...process.env, AGENT_SESSION_ID: session }
  const child = fork(await programOf('test/setup/actor.ts'), [JSON.stringify(options)], { env, execArgv: [] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const stop = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  await told(child, 'ready')
  return { actor: actorOf(child, undefined), stop }
}

function actorOf(child: ChildProcess, session: string | undefined): Actor {
  const perform = <Out>(task: Task) => {
    const result = told(child, 'result')
    child.send({ task: { ...task, session } })
    return result as Promise<Out>
  }
  return {
    as: (other) => actorOf(child, other),
    call: (operation, inputs) => perform({ do: 'call', operation, inputs }),
    update: (key, by, callers) => perform({ do: 'update', key, by, callers }),
    transfer(keys) {
      const times = perform<number>({ do: 'transfer', keys })
      return {
        stop() {
          child.send({ stop: true })
          return times
        },
      }
    },
  }
}

/** The next message with this member; a failure or the end of the process rejects. */
function told(child: ChildProcess, member: 'ready' | 'result'): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const done = () => {
      child.off('message', hear)
      child.off('exit', gone)
    }
    const hear = (message: Record<string, unknown>) => {
      if (!(member in message) && !('failed' in message)) return
      done()
      if ('failed' in message) reject(new Error(`an actor failed: ${message.failed}`))
      else resolve(message[member])
    }
    const gone = (code: number | null) => {
      done()
      reject(new Error(`an actor ended with ${code} before it was ${member}`))
    }
    child.on('message', hear)
    child.once('exit', gone)
  })
}
