import type { Deciding } from '../../domain/log/deciding.ts'
import { list, type Members, variants } from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer, Rows } from '../../domain/log/rows.ts'
import { keyRefs } from '../../domain/state/key.ts'
import type { Mutation } from '../../domain/state/mutation.ts'
import { stateKeys } from '../../domain/state/tables.ts'
import { byteLength, type JsonObject } from '../../json/value.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { stateRefs } from './mutating.ts'
import { type Mutations, mutations } from './mutations/index.ts'
import { ChangedByBatch } from './own-conflict.ts'

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
type Shown = Done | (Omit<Done, 'value'> & { value_omitted: true })
type Result = Shown & { status: 'success' }

function checkCount(count: number, on: Deciding): Refusal | undefined {
  if (count === 0) {
    const hint = 'Give operations: [{op, key, …}, …].'
    return refuse('invalid_input', 'A batch needs at least one operation.', hint, { path: 'operations' })
  }
  const limit = on.limits.batch
  if (count <= limit) return undefined
  const message = `This batch has ${count} operations; the limit batch is ${limit}.`
  return refuse('invalid_input', message, 'Send several smaller batches.', { limit: 'batch', limit_value: limit })
}

/** A value that is changed again and again is made anew each time: a short batch can be much work. */
function checkWork(on: Deciding, read: number): Refusal | undefined {
  const limit = on.limits.batchBytes
  const bytes = on.written() + read
  if (bytes <= limit) return undefined
  const message = `This batch reads and writes ${bytes} bytes up to this operation; the limit batchBytes is ${limit}.`
  const hint = 'Send several smaller batches, or make all changes to a large value in one operation.'
  return refuse('invalid_input', message, hint, { limit: 'batchBytes', limit_value: limit })
}

/** Values above this are left out of the answer: there may be hundreds of them. Of the first that was refused the current one is shown whole. */
const shownBytesMax = 4096

function small(done: Done, rows: Rows): Shown {
  if (!('value' in done)) return done
  const { value: _, ...rest } = done
  const row = rows.get(stateKeys, done.key)
  const bytes = row?.partial ? row.bytes : byteLength(row?.value ?? '')
  return bytes <= shownBytesMax ? done : { ...rest, value_omitted: true }
}

/** Of what a batch may write, so much may be read to say what its operations lost against. */
const conflictShare = 4

function bytesOf({ rows }: Deciding, { key }: Item): number {
  return rows.get(stateKeys, key)?.bytes ?? 0
}

function isConflict({ code }: Refusal): boolean {
  return code === 'version_conflict' || code === 'already_exists'
}

function withoutLongValue({ current_value: value, ...told }: JsonObject, bytes: number): JsonObject {
  if (value === undefined) return told
  return bytes <= shownBytesMax ? { ...told, current_value: value } : { ...told, value_omitted: true }
}

/** What is expected of a version has another name in a batch. */
function saidInBatch(refusal: Refusal): Refusal {
  const { code, message, hint, details } = refusal
  if (!isConflict(refusal)) return refusal
  return refuse(code, message, hint.replaceAll('`version', '`if_match'), details)
}

/**
 * With one item refused nothing is applied, and each item says what became of it: the first that was refused why, and all
 * that lost a race which version is there, so that whoever tries again has to do so once.
 */
function refuseAll(items: readonly Item[], refused: ReadonlyMap<number, Refusal>, on: Deciding): Refusal {
  const [[index, first]] = [...refused] as [[number, Refusal]]
  // A name that is a secret is not shown, nor are those beside it, which may be the same.
  const isSecret = first.code === 'looks_like_secret' && !('key' in first.details)
  const results = items.map((one, at) => {
    const key = isSecret ? null : one.key
    const why = refused.get(at)
    if (why === undefined || (at !== index && !isConflict(why))) return { key, status: 'not_applied' }
    const told = at === index ? why.toJSON() : withoutLongValue(why.toJSON(), bytesOf(on, one))
    return { key, status: isConflict(why) ? 'conflict' : 'refused', ...told }
  })
  return refuse(first.code, first.message, first.hint, { ...first.details, index, applied: false, results })
}

export const stateBatch = change({
  name: 'state.batch',
  summary: 'Change several keys at once, all or nothing.',
  command: {
    words: ['state batch'],
    positional: ['operations'],
    topic: 'Change the state',
    examples: [
      `cairn state batch '[{"op": "increment", "key": "done"}, {"op": "set", "key": "last", "value": "a"}]'`,
      'cairn state batch changes.json',
    ],
  },
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
    const refused = new Map<number, Refusal>()
    const missed = new Set<string>()
    const changed = new ChangedByBatch(on.rows)
    let [looked, lost] = [0, 0]
    for (const [index, one] of items.entries()) {
      // What follows on the same key would be decided on a value that is not there.
      if (missed.has(one.key)) continue
      const before = on.written()
      const wasDone = changed.about(one.key, index)
      const done = checkWork(on, looked) ?? mutationOf(one).decide(askedOf(one), on)
      if (done instanceof Refusal) {
        refused.set(index, changed.told(one.key, saidInBatch(done)))
        missed.add(one.key)
        // To read what hundreds lost against would cost as much as to write it.
        lost += bytesOf(on, one)
        if (lost > on.limits.batchBytes / conflictShare) break
        continue
      }
      wasDone()
      // What was only read is work too.
      if (on.written() === before) looked += bytesOf(on, one)
      results.push({ ...small(done as Done, on.rows), status: 'success' })
    }
    return refused.size === 0 ? { results, applied: true } : refuseAll(items, refused, on)
  },
})
