import type { Deciding } from '../../domain/log/deciding.ts'
import { list, type Members, variants } from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { keyRefs } from '../../domain/state/key.ts'
import type { Mutation } from '../../domain/state/mutation.ts'
import { change } from '../operation.ts'
import { mayWrite, stateRefs } from './mutating.ts'
import { type Mutations, mutations } from './mutations/index.ts'

type Part = { readonly members: Members; readonly mutation: Mutation<never, Answer> }

/** One of a batch as it was asked, and as its mutation takes it. */
interface Item {
  readonly op: keyof Mutations
  readonly key: string
  readonly if_match?: number
}

/** The version that is expected of a key is called `if_match` in a batch. */
function shapeOf({ members }: Part): Members {
  const { version, ...rest } = members
  return version === undefined ? rest : { ...rest, if_match: version }
}

type Shapes = {
  [Op in keyof Mutations]: Renamed<Mutations[Op]['members']>
}
type Renamed<M> = Omit<M, 'version'> & (M extends { version: infer Version } ? { if_match: Version } : unknown)

const shapes = Object.fromEntries(
  Object.entries(mutations).map(([op, part]) => [op, shapeOf(part)]),
) as unknown as Shapes

const item = variants('What to do: {op, key, …}.', 'op', shapes)

function mutationOf({ op }: Item): Mutation<object, Answer> {
  return mutations[op].mutation as Mutation<object, Answer>
}

function askedOf({ op: _, if_match: version, ...rest }: Item): object {
  return version === undefined ? rest : { ...rest, version }
}

type Done = Exclude<ReturnType<Mutations[keyof Mutations]['mutation']['decide']>, Refusal>
type Result = Done & { status: 'success' }

function checkCount(count: number, on: Deciding): Refusal | undefined {
  if (count === 0) {
    const hint = 'Give operations: [{op, key, …}, …].'
    return refuse('invalid_input', 'A batch has at least one operation.', hint, { path: 'operations' })
  }
  const limit = on.limits.batch
  if (count <= limit) return undefined
  const message = `This batch has ${count} operations; the limit batch is ${limit}.`
  return refuse('invalid_input', message, 'Send several smaller batches.', { limit: 'batch', limit_value: limit })
}

/** With one item refused nothing is applied, and each item says what became of it. */
function refuseAll(items: readonly Item[], failed: number, why: Refusal): Refusal {
  const lost = why.code === 'version_conflict' || why.code === 'already_exists'
  // A name that is a secret is not shown, nor are those beside it, which may be the same.
  const isSecret = why.code === 'looks_like_secret' && !('key' in why.details)
  const results = items.map(({ key }, index) => {
    if (index !== failed) return { key: isSecret ? null : key, status: 'not_applied' }
    return { key: isSecret ? null : key, status: lost ? 'conflict' : 'refused', ...why.toJSON() }
  })
  return refuse(why.code, why.message, why.hint, { ...why.details, index: failed, applied: false, results })
}

export const stateBatch = change({
  name: 'state.batch',
  summary: 'Change several keys at once: all of it or nothing.',
  command: { words: ['state batch'], positional: ['operations'] },
  input: { operations: list('What to do, in order.', item) },
  needs(input, rows) {
    const items: readonly Item[] = input.operations
    // A key that comes twice is decided on what the batch itself made of it: then all it could need is loaded.
    const seen = new Set<string>()
    const twice = new Set<string>()
    for (const { key } of items) (seen.has(key) ? twice : seen).add(key)
    const refs = items.map((one) => [
      ...(twice.has(one.key) ? keyRefs(rows, one.key, 'chain') : []),
      ...mutationOf(one).refs(askedOf(one), rows),
    ])
    return [...stateRefs, ...refs.flat()]
  },
  decide(input, on) {
    const items: readonly Item[] = input.operations
    const refusal = mayWrite(on) ?? checkCount(items.length, on)
    if (refusal) return refusal
    const results: Result[] = []
    for (const [index, one] of items.entries()) {
      const done = mutationOf(one).decide(askedOf(one), on)
      if (done instanceof Refusal) return refuseAll(items, index, done)
      results.push({ ...(done as Done), status: 'success' })
    }
    return { results, applied: true }
  },
})
