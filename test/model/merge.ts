// Merging as the model does it: RFC 7396, with operators and dotted names as paths.
import type { Json } from '../../src/json/value.ts'

type Obj = { [name: string]: Json }
type Merged = { value: Json } | { refusal: Obj }

export function isObject(value: Json | undefined): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const wrongType = { refusal: { refused: 'wrong_type' } }

/** Refused when a dotted name leads below something that is no object, or an operator meets what it cannot change. */
export function mergeInto(target: Json | undefined, patch: Obj): Merged {
  const members = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, part] of Object.entries(patch)) {
    const dot = members.has(name) ? -1 : name.indexOf('.')
    const first = dot < 0 ? name : name.slice(0, dot)
    const below = members.get(first)
    if (dot >= 0 && below !== undefined && !isObject(below)) return wrongType
    if (removes(part) && (dot < 0 || below === undefined)) {
      members.delete(first)
      continue
    }
    const made = dot < 0 ? merged(below, part) : mergeInto(below, { [name.slice(dot + 1)]: part })
    if ('refusal' in made) return made
    members.set(first, made.value)
  }
  return { value: Object.fromEntries(members) }
}

function merged(below: Json | undefined, part: Json): Merged {
  if (!isObject(part)) return { value: part }
  const operator = operatorOf(part)
  return operator === undefined ? mergeInto(below, part) : operated(operator, below, part[operator] as Json)
}

export function operatorOf(part: Json): string | undefined {
  return isObject(part) ? Object.keys(part).find((name) => name.startsWith('$')) : undefined
}

export function removes(part: Json): boolean {
  return part === null || operatorOf(part) === '$delete'
}

function operated(operator: string, below: Json | undefined, operand: Json): Merged {
  if (operator === '$set') return { value: operand }
  if (operator === '$append') {
    if (below !== undefined && !Array.isArray(below)) return wrongType
    return { value: (below ?? []).concat(operand as Json[]) }
  }
  if (below !== undefined && typeof below !== 'number') return wrongType
  const sum = (below ?? 0) + Number(operand)
  if (Math.abs(sum) <= 2 ** 53 - 1) return { value: sum }
  return { refusal: { refused: 'number_out_of_range', current_value: below ?? null, delta: operand } }
}
