// A patch of the document as the model does it: as changes of keys.
import type { Json } from '../../src/json/value.ts'
import { isObject, mergeInto, operatorOf, removes } from './merge.ts'

type Obj = { [name: string]: Json }

/** One change of a key, as an operation and what it takes. */
export interface KeyChange {
  readonly op: string
  readonly m: Obj & { key: string }
}

const operations: { readonly [operator: string]: readonly [op: string, member: string] } = {
  $append: ['append', 'items'],
  $increment: ['increment', 'delta'],
  $set: ['set', 'value'],
}

/** What a patch does to which keys of a document, in order, or the refusal. */
export function keyChanges(document: Obj, patch: Obj, deep: boolean): KeyChange[] | { refusal: Obj } {
  const wholes = new Map<string, Json>()
  const paths = new Map<string, Obj>()
  const order: string[] = []
  for (const [name, part] of Object.entries(patch)) {
    const dot = Object.hasOwn(document, name) ? -1 : name.indexOf('.')
    const key = dot < 0 ? name : name.slice(0, dot)
    if (!order.includes(key)) order.push(key)
    if (dot < 0) wholes.set(key, part)
    else paths.set(key, { ...paths.get(key), [name.slice(dot + 1)]: part })
    if (wholes.has(key) && paths.has(key)) return { refusal: { refused: 'invalid_input' } }
  }
  const changes: KeyChange[] = []
  for (const key of order) {
    const present = Object.hasOwn(document, key) ? document[key] : undefined
    const below = paths.get(key)
    const change = below ? belowKey(key, below, present, deep) : ofKey(key, wholes.get(key) as Json, present, deep)
    if (change === undefined) continue
    if ('refusal' in change) return change
    changes.push(change)
  }
  return changes
}

function ofKey(
  key: string,
  part: Json,
  present: Json | undefined,
  deep: boolean,
): KeyChange | { refusal: Obj } | undefined {
  if (removes(part)) return present === undefined ? undefined : { op: 'delete', m: { key } }
  const operator = operatorOf(part)
  const [op, member] = operations[operator ?? ''] ?? []
  if (op !== undefined && member !== undefined)
    return { op, m: { key, [member]: (part as Obj)[operator as string] as Json } }
  if (!isObject(part) || !deep)
    return holdsOperator(part) ? { refusal: { refused: 'invalid_input' } } : { op: 'set', m: { key, value: part } }
  if (present === undefined || isObject(present)) return { op: 'merge', m: { key, patch: part } }
  const made = mergeInto(undefined, part)
  return 'refusal' in made ? made : { op: 'set', m: { key, value: made.value } }
}

function belowKey(
  key: string,
  below: Obj,
  present: Json | undefined,
  deep: boolean,
): KeyChange | { refusal: Obj } | undefined {
  const parts = Object.entries(below)
  if (present === undefined && parts.every(([, part]) => removes(part))) return undefined
  if (deep) return { op: 'merge', m: { key, patch: below } }
  const isSaid = (part: Json) => part === null || operatorOf(part) !== undefined
  if (parts.some(([, part]) => !isSaid(part) && holdsOperator(part))) return { refusal: { refused: 'invalid_input' } }
  const patch = parts.map(([name, part]) => [name, isSaid(part) ? part : { $set: part }])
  return { op: 'merge', m: { key, patch: Object.fromEntries(patch) } }
}

function holdsOperator(part: Json): boolean {
  return isObject(part) && (operatorOf(part) !== undefined || Object.values(part).some(holdsOperator))
}
