// A process with many callers that count with request ids, whatever becomes of the database meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cairn } from '../../src/index.ts'
import { isStopping, methodOf, outcomeOf, serve } from '../leases/served.ts'

export interface LoadTask {
  /** Callers go round these roots. */
  readonly sessions: readonly string[]
  readonly callers: number
  /** Makes the request ids of this process its own; of two processes with the same one, each call is a repeat. */
  readonly prefix: string
  /** Calls of each caller; without end, until it is stopped, unless given. */
  readonly calls?: number
}

export interface Loaded {
  /** Increments that were answered, by session. */
  readonly answered: Record<string, number>
  /** Calls that were sent again, by the code they were refused with. */
  readonly refused: Record<string, number>
  /** Anything that must not be. */
  readonly wrong: string[]
}

/** Trouble that passes: the same call with the same request id gets an answer in the end. */
const passing = ['unavailable', 'outcome_unknown', 'busy']
const againMs = 20

async function load(cairn: Cairn, task: LoadTask): Promise<Loaded> {
  const loaded: Loaded = { answered: {}, refused: {}, wrong: [] }
  const more = (at: number) => (task.calls === undefined ? !isStopping() : at < task.calls)
  const callers = Array.from({ length: task.callers }, async (_, caller) => {
    for (let at = 0; more(at); at++) {
      const session = task.sessions[(caller + at) % task.sessions.length] as string
      await count(cairn, session, `${task.prefix} ${caller} ${at}`, at, loaded)
    }
  })
  await Promise.all(callers)
  return loaded
}

/** Every third call is a batch: more rows, and the way with a lock. */
async function count(cairn: Cairn, session: string, request_id: string, at: number, loaded: Loaded): Promise<void> {
  const both = [
    { op: 'increment', key: 'n' },
    { op: 'append', key: 'trail', items: [request_id] },
  ]
  const [operation, input] = at % 3 === 0 ? ['state.batch', { operations: both }] : ['state.increment', { key: 'n' }]
  for (;;) {
    const asked = { session, request_id, ...(input as object) }
    const { answer, refused, message } = await outcomeOf(methodOf(cairn, operation as string)(asked))
    if (answer !== undefined) break
    loaded.refused[refused as string] = (loaded.refused[refused as string] ?? 0) + 1
    if (!passing.includes(refused as string)) loaded.wrong.push(`${request_id}: ${refused}: ${message}`)
    if (/\b[0-9][0-9A-Z]{4}\b/.test(message ?? '')) loaded.wrong.push(`shows a code of the database: ${message}`)
    await sleep(againMs)
  }
  loaded.answered[session] = (loaded.answered[session] ?? 0) + 1
}

await serve({ load })
