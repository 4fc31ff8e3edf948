import type { Deciding } from '../domain/deciding.ts'
import type { Json } from '../domain/json.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import type { Answer } from '../domain/rows.ts'
import {
  integer,
  json,
  jsonList,
  jsonObject,
  list,
  number,
  type Output,
  object,
  oneOf,
  optional,
} from '../domain/schema.ts'
import { keyRefs } from '../domain/state/key.ts'
import { type Mutation, mutate, mutationRefs } from '../domain/state/mutation.ts'
import { createOnly, key } from './inputs.ts'
import { change } from './operation.ts'
import { mayWrite, stateRefs } from './writing.ts'

const item = object({
  op: oneOf('What to do.', ['set', 'delete', 'increment', 'append', 'merge']),
  key,
  value: optional(json('For set.')),
  delta: optional(number('For increment; 1 unless given.')),
  items: optional(jsonList('For append.')),
  patch: optional(jsonObject('For merge.')),
  if_match: optional(integer('For set, delete and merge: the version the key must be at.')),
  create_only: createOnly,
})

/** Which members belong to which operation: one that does not belong is a mistake that must not pass in silence. */
const members: Record<string, { needs?: 'value' | 'items' | 'patch'; takes: readonly string[] }> = {
  set: { needs: 'value', takes: ['value', 'if_match', 'create_only'] },
  delete: { takes: ['if_match'] },
  increment: { takes: ['delta'] },
  append: { needs: 'items', takes: ['items'] },
  merge: { needs: 'patch', takes: ['patch', 'if_match'] },
}

function mutationOf(asked: Output<typeof item>): Mutation {
  const { op, key, if_match: version } = asked
  if (op === 'set') return { op, key, value: asked.value as Json, version, create_only: asked.create_only }
  if (op === 'delete') return { op, key, version }
  if (op === 'increment') return { op, key, delta: asked.delta ?? 1 }
  if (op === 'append') return { op, key, items: asked.items ?? [] }
  return { op, key, patch: asked.patch ?? {}, version }
}

function checkItem(asked: Output<typeof item>, index: number): Refusal | undefined {
  const { needs, takes } = members[asked.op] as (typeof members)[string]
  const path = `operations[${index}]`
  if (needs && asked[needs] === undefined) {
    return refuse('invalid_input', `${path}.${needs} is missing.`, `A ${asked.op} needs ${needs}.`, { path })
  }
  const extra = Object.keys(asked).find((name) => name !== 'op' && name !== 'key' && !takes.includes(name))
  if (extra === undefined) return undefined
  const hint = `A ${asked.op} takes: ${['key', ...takes].join(', ')}.`
  return refuse('invalid_input', `${path}.${extra} does not belong to a ${asked.op}.`, hint, {
    path: `${path}.${extra}`,
  })
}

function checkShape(operations: readonly Output<typeof item>[], on: Deciding): Refusal | undefined {
  if (operations.length === 0) {
    const hint = 'Give operations: [{op, key, …}, …].'
    return refuse('invalid_input', 'A batch has at least one operation.', hint, { path: 'operations' })
  }
  if (operations.length > on.limits.batch) {
    const message = `This batch has ${operations.length} operations; the limit batch is ${on.limits.batch}.`
    return refuse('invalid_input', message, 'Send several smaller batches.', { limit: 'batch' })
  }
  for (const [index, asked] of operations.entries()) {
    const refusal = checkItem(asked, index)
    if (refusal) return refusal
  }
  return undefined
}

/** With one item refused nothing is applied, and each item says what became of it. */
function refuseAll(operations: readonly Output<typeof item>[], failed: number, why: Refusal): Refusal {
  const lost = why.code === 'version_conflict' || why.code === 'already_exists'
  const results = operations.map((asked, index) => {
    if (index !== failed) return { key: asked.key, status: 'not_applied' }
    return { key: asked.key, status: lost ? 'conflict' : 'refused', ...why.toJSON() }
  })
  return refuse(why.code, why.message, why.hint, { ...why.details, index: failed, applied: false, results })
}

export const stateBatch = change({
  name: 'state.batch',
  summary: 'Change several keys at once: all of it or nothing.',
  command: { words: ['state batch'], positional: ['operations'] },
  input: { operations: list('What to do, in order.', item) },
  needs(input, rows) {
    // A key that comes twice is decided on what the batch itself made of it: then all it could need is loaded.
    const seen = new Set<string>()
    const twice = new Set<string>()
    for (const { key } of input.operations) (seen.has(key) ? twice : seen).add(key)
    const refs = input.operations.map((asked) =>
      twice.has(asked.key) ? keyRefs(rows, asked.key, 'chain') : mutationRefs(mutationOf(asked), rows),
    )
    return [...stateRefs, ...refs.flat()]
  },
  decide(input, on) {
    const refusal = mayWrite(on) ?? checkShape(input.operations, on)
    if (refusal) return refusal
    const results: Answer[] = []
    for (const [index, asked] of input.operations.entries()) {
      const done = mutate(mutationOf(asked), on)
      if (done instanceof Refusal) return refuseAll(input.operations, index, done)
      results.push({ ...done, status: 'success' })
    }
    return { results, applied: true }
  },
})
