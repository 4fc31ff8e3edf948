// A process that takes tasks from a list that it shares with others: it claims one, does it, and looks for the next.
import type { Cairn } from '../../src/index.ts'
import { type Done, outcomeOf, serve } from '../leases/served.ts'

export interface WorkTask {
  readonly session: string
  readonly tasks: readonly string[]
  /** Where in the list it begins to look. */
  readonly from: number
  readonly ttlMs: number
}

/** On a machine that has other things to do, many processes may have to ask a store of one writer, or a server of few connections, more than once. */
async function unlessBusy(ask: () => Promise<Record<string, unknown>>): Promise<Done> {
  for (;;) {
    const done = await outcomeOf(ask())
    if (done.refused !== 'busy' && done.refused !== 'unavailable') return done
  }
}

/** Tasks that it asks for before it waits: fifty who ask for all would be busy with refusals. */
const triesMax = 3

/** Claims the first task that it can have; undefined when others hold those it asked for. */
async function claimOne(cairn: Cairn, open: readonly string[], { session, ttlMs }: WorkTask) {
  for (const key of open.slice(0, triesMax)) {
    const { answer, refused } = await unlessBusy(() => cairn.state.claim({ session, key, ttl: `${ttlMs}ms` }))
    if (answer !== undefined) return { key, token: answer.token as string }
    if (refused !== 'held_by_other') throw new Error(`a claim was refused as ${refused}`)
  }
  return undefined
}

async function openTasks(cairn: Cairn, { session, tasks, from }: WorkTask): Promise<string[]> {
  const { state } = await cairn.state.all({ session, prefix: 'task/' })
  const inTurn = [...tasks.slice(from), ...tasks.slice(0, from)]
  return inTurn.filter((key) => state[key] === 'open')
}

/** Does tasks until none is open; answers with those that it did. */
async function work(cairn: Cairn, given: WorkTask): Promise<string[]> {
  const { session, ttlMs } = given
  const did: string[] = []
  for (let open = await openTasks(cairn, given); open.length > 0; open = await openTasks(cairn, given)) {
    const claimed = await claimOne(cairn, open, given)
    if (claimed === undefined) {
      const [key = ''] = open
      await outcomeOf(cairn.state.wait({ session, key, equals: 'done', timeout: `${ttlMs}ms` }))
    } else if (await finish(cairn, session, claimed)) did.push(claimed.key)
  }
  return did
}

/** Somebody may have done it before it was claimed, and whoever is too slow loses it. */
async function finish(cairn: Cairn, session: string, { key, token }: { key: string; token: string }): Promise<boolean> {
  const fence = `key/${key}:${token}`
  const { value } = await cairn.state.get({ session, key })
  let isDone = false
  if (value === 'open') {
    const operations = [
      { op: 'append' as const, key: 'done', items: [{ key, epoch: Number(token.split('.')[0]) }] },
      { op: 'set' as const, key, value: 'done' },
    ]
    const { refused } = await unlessBusy(() => cairn.state.batch({ session, operations, fence }))
    if (refused !== undefined && refused !== 'fenced') throw new Error(`a task was refused as ${refused}`)
    isDone = refused === undefined
  }
  await outcomeOf(cairn.state.release({ session, key, token }))
  return isDone
}

/** Claims a task and never comes to do it. */
async function hold(cairn: Cairn, given: WorkTask) {
  return (await claimOne(cairn, await openTasks(cairn, given), given)) ?? null
}

await serve({ work, hold })
