// RFC 6902 in the plainest way: every operation on a copy of everything.
import { canonical, type Json } from '../../src/json/value.ts'

type Obj = { [name: string]: Json }
type Made = { value: Json } | { code: 'invalid_input' | 'version_conflict'; index: number }

interface Holder {
  root: Json
}

/** What a well-formed patch makes of a value, or the code of its refusal and which operation it is about. */
export function naiveJsonPatch(start: Json, operations: readonly Json[]): Made {
  const holder: Holder = { root: copied(start) }
  for (const [index, each] of operations.entries()) {
    const operation = copied(each) as Obj
    if (applied(holder, operation)) continue
    return { code: operation.op === 'test' ? 'version_conflict' : 'invalid_input', index }
  }
  return { value: holder.root }
}

function applied(holder: Holder, { op, path, from, value }: Obj): boolean {
  const at = partsOf(String(path))
  const present = see(holder, at)
  if (op === 'add') return put(holder, at, value as Json, true)
  if (op === 'remove') return at.length > 0 && take(holder, at)
  if (op === 'replace') return present !== undefined && put(holder, at, value as Json, false)
  if (op === 'test') return present !== undefined && canonical(present) === canonical(value as Json)
  const source = partsOf(String(from))
  const found = see(holder, source)
  if (found === undefined) return false
  const moved = copied(found)
  if (op === 'copy' || at.length === 0) return put(holder, at, moved, true)
  if (`${path}/`.startsWith(`${from}/`) && path !== from) return false
  return take(holder, source) && put(holder, at, moved, true)
}

/** Nothing in it is at two places, as it may be in a structured clone. */
const copied = (value: Json): Json => JSON.parse(JSON.stringify(value))

const partsOf = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))

const placeOf = (part: string | undefined) => (/^(0|[1-9]\d*)$/.test(part ?? '') ? Number(part) : -1)

function see(holder: Holder, parts: readonly string[]): Json | undefined {
  let found: Json | undefined = holder.root
  for (const part of parts) {
    if (Array.isArray(found)) found = found[placeOf(part)]
    else found = typeof found === 'object' && found !== null && Object.hasOwn(found, part) ? found[part] : undefined
  }
  return found
}

function put(holder: Holder, parts: readonly string[], value: Json, inserts: boolean): boolean {
  const last = parts.at(-1)
  const parent = last === undefined ? holder : see(holder, parts.slice(0, -1))
  if (typeof parent !== 'object' || parent === null) return false
  if (!Array.isArray(parent)) {
    ;(parent as Obj)[last ?? 'root'] = value
    return true
  }
  const place = last === '-' && inserts ? parent.length : placeOf(last)
  if (place < 0 || place > parent.length) return false
  parent.splice(place, inserts ? 0 : 1, value)
  return true
}

function take(holder: Holder, parts: readonly string[]): boolean {
  if (see(holder, parts) === undefined) return false
  const parent = see(holder, parts.slice(0, -1)) as Obj | Json[]
  if (Array.isArray(parent)) parent.splice(placeOf(parts.at(-1)), 1)
  else delete parent[parts.at(-1) as string]
  return true
}
