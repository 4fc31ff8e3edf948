import { type Json, sameJson } from '../../../json/value.ts'

/** When a phase runs: an expression over the shared state, as `parseCondition` reads it. */
export type Condition =
  | { readonly kind: 'value'; readonly value: Json }
  /** A value of the shared state: the key, and the way from its value. */
  | { readonly kind: 'state'; readonly key: string; readonly below: readonly (string | number)[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'compare'; readonly by: Comparison; readonly left: Condition; readonly right: Condition }

export const comparisons = ['==', '!=', '<=', '>=', '<', '>'] as const
export type Comparison = (typeof comparisons)[number]

type StateValues = Readonly<Record<string, Json>>

/** Whether a condition holds. */
export function holds(condition: Condition, state: StateValues): boolean {
  return isTrue(valueFor(condition, state))
}

/** What is missing is false, so that a phase which waits for a key that nobody has set does not run. */
function valueFor(condition: Condition, state: StateValues): Json {
  switch (condition.kind) {
    case 'value':
      return condition.value
    case 'state':
      return stateValue(condition, state)
    case 'not':
      return !holds(condition.of, state)
    case 'and':
      return holds(condition.left, state) && holds(condition.right, state)
    case 'or':
      return holds(condition.left, state) || holds(condition.right, state)
    case 'compare':
      return compares(condition.by, valueFor(condition.left, state), valueFor(condition.right, state))
  }
}

function stateValue({ key, below }: { key: string; below: readonly (string | number)[] }, state: StateValues): Json {
  let found: Json | undefined = Object.hasOwn(state, key) ? state[key] : undefined
  for (const part of below) found = valueIn(found, part)
  return found ?? false
}

/** A member or an item. A name never finds what is not the value's own, such as the length of a list. */
function valueIn(value: Json | undefined, part: string | number): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (Array.isArray(value)) return typeof part === 'number' ? value[part] : undefined
  return Object.hasOwn(value, part) ? value[part] : undefined
}

/** false, null, 0 and the empty text are not true; all else is. */
function isTrue(value: Json): boolean {
  return value !== false && value !== null && value !== 0 && value !== ''
}

/** Equal are values of one type; what has no order is neither smaller nor larger. */
function compares(by: Comparison, left: Json, right: Json): boolean {
  if (by === '==') return sameJson(left, right)
  if (by === '!=') return !sameJson(left, right)
  const ordered =
    (typeof left === 'number' && typeof right === 'number') || (typeof left === 'string' && typeof right === 'string')
  if (!ordered) return false
  if (by === '<') return left < right
  if (by === '<=') return left <= right
  return by === '>' ? left > right : left >= right
}

/** The keys of the shared state that a condition names. */
export function keysIn(condition: Condition): string[] {
  switch (condition.kind) {
    case 'value':
      return []
    case 'state':
      return [condition.key]
    case 'not':
      return keysIn(condition.of)
    default:
      return [...keysIn(condition.left), ...keysIn(condition.right)]
  }
}
