// Merging as the model does it: RFC 7396, with operators and dotted names as paths.
import { canonical, type Json } from '../../src/json/value.ts'

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

/** How the log says what a merge did: the patch as it stands, or by the RFCs what its operators and paths came to. */
export function recordedMerge(before: Json | undefined, patch: Obj, after: Json): { type: string; data: Obj } {
  if (isPlain(before, patch)) return { type: 'patch', data: { patch } }
  const old = isObject(before) ? before : {}
  const operations = steps(old, after, '')
  const asPatch = operations.every(({ path, value }) => !String(path).endsWith('/-') && !holdsNull(value))
  if (asPatch) return { type: 'patch', data: { patch: merging(old, after as Obj) } }
  const whole = [{ op: 'add', path: '', value: after }]
  return { type: 'json_patch', data: { operations: before === undefined ? whole : operations } }
}

function isPlain(target: Json | undefined, patch: Obj): boolean {
  const members = new Map(Object.entries(isObject(target) ? target : {}))
  return Object.entries(patch).every(([name, part]) => {
    const isPath = name.includes('.') && !members.has(name)
    const below = members.get(name)
    if (part === null) members.delete(name)
    else members.set(name, part)
    return !isPath && (!isObject(part) || (operatorOf(part) === undefined && isPlain(below, part)))
  })
}

const holdsNull = (value: Json | undefined): boolean =>
  value === null || (isObject(value) && Object.values(value).some(holdsNull))

const same = (a: Json | undefined, b: Json | undefined) =>
  a !== undefined && b !== undefined && canonical(a) === canonical(b)

function steps(old: Json | undefined, value: Json, path: string): Obj[] {
  if (same(old, value)) return []
  if (isObject(old) && isObject(value)) {
    const below = (name: string) => `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const gone = Object.keys(old).filter((name) => !Object.hasOwn(value, name))
    const stay = Object.entries(value).flatMap(([name, each]) => steps(memberOf(old, name), each, below(name)))
    return [...gone.map((name) => ({ op: 'remove', path: below(name) })), ...stay]
  }
  const isLonger = Array.isArray(old) && Array.isArray(value) && old.length > 0 && value.length > old.length
  if (isLonger && same(old, value.slice(0, old.length))) {
    return value.slice(old.length).map((item) => ({ op: 'add', path: `${path}/-`, value: item }))
  }
  return [{ op: old === undefined ? 'add' : 'replace', path, value }]
}

function merging(old: Obj, value: Obj): Obj {
  const names = [...Object.keys(old), ...Object.keys(value)]
  const changed = names.filter((name) => !same(memberOf(old, name), memberOf(value, name)))
  const said = changed.map((name): [string, Json] => {
    const [was, is] = [memberOf(old, name), memberOf(value, name)]
    return [name, isObject(was) && isObject(is) ? merging(was, is) : (is ?? null)]
  })
  return Object.fromEntries(said)
}

function memberOf(value: Obj, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
