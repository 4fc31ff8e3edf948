// Movers of amounts between keys: each batch takes from one and gives to another, so that the sum never changes.
import { type Cairn, CairnRefusal, type Json } from '../../src/index.ts'
import { randomOf } from './random.ts'

export interface MoveTask {
  readonly do: 'move'
  readonly session: string
  readonly seed: number
  readonly movers: number
  readonly batchesOfMover: number
}

export const accounts = ['a', 'b', 'c', 'd', 'e'] as const
export const total = 500
export const opening = { ...Object.fromEntries(accounts.map((key) => [key, total / accounts.length])), trail: [] }

export function sumOf(state: Readonly<Record<string, Json>>): number {
  return accounts.reduce((sum, key) => sum + Number(state[key]), 0)
}

interface Move {
  readonly from: string
  readonly to: string
  readonly amount: number
}

/** Adds and takes away, whatever is there, and leaves a line on the trail: three events. */
function blind({ from, to, amount }: Move) {
  return [
    { op: 'increment' as const, key: from, delta: -amount },
    { op: 'increment' as const, key: to, delta: amount },
    { op: 'append' as const, key: 'trail', items: [`${amount} from ${from} to ${to}`] },
  ]
}

/** Reads both, computes, and writes both if neither has changed since: two events or none. */
async function careful(cairn: Cairn, session: string, { from, to, amount }: Move) {
  const { state, keys } = await cairn.state.all({ session })
  if (sumOf(state) !== total) throw new Error(`a snapshot has ${sumOf(state)} in it: ${JSON.stringify(state)}`)
  const change = (key: string, by: number) => {
    const { version } = keys[key] as { version: number }
    return { op: 'set' as const, key, value: Number(state[key]) + by, if_match: version }
  }
  return [change(from, -amount), change(to, amount)]
}

/** Answers how many batches were applied; the others lost a race. */
export async function move(cairn: Cairn, task: MoveTask): Promise<number> {
  const { session } = task
  let applied = 0
  const movers = Array.from({ length: task.movers }, async (_, mover) => {
    const random = randomOf(task.seed * 100 + mover)
    for (let at = 0; at < task.batchesOfMover; at++) {
      const from = random.below(accounts.length)
      const to = (from + 1 + random.below(accounts.length - 1)) % accounts.length
      const move = { from: accounts[from] as string, to: accounts[to] as string, amount: 1 + random.below(20) }
      const operations = random.below(3) === 0 ? await careful(cairn, session, move) : blind(move)
      const request_id = `${session} ${task.seed} ${mover} ${at}`
      const did = await cairn.state.batch({ session, operations, request_id }).then(() => 1, unlessLost)
      applied += did
    }
  })
  await Promise.all(movers)
  return applied
}

function unlessLost(error: unknown): 0 {
  if (error instanceof CairnRefusal && (error.code === 'version_conflict' || error.code === 'busy')) return 0
  throw error
}
