import { readPointer } from './pointer.ts'
import { Refusal, refuse } from './refusal.ts'
import type { Json, JsonObject } from './value.ts'

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** The members that each operation needs besides `op`. */
const members: { readonly [Op in PatchOperation['op']]: readonly string[] } = {
  add: ['path', 'value'],
  replace: ['path', 'value'],
  test: ['path', 'value'],
  remove: ['path'],
  move: ['from', 'path'],
  copy: ['from', 'path'],
}

/** A list of operations as RFC 6902 writes them; members it does not know are left out, as it asks. */
export function readJsonPatch(list: readonly Json[]): PatchOperation[] | Refusal {
  const operations: PatchOperation[] = []
  for (const [index, given] of list.entries()) {
    const operation = readOperation(given, index)
    if (operation instanceof Refusal) return operation
    operations.push(operation)
  }
  return operations
}

function readOperation(given: Json, index: number): PatchOperation | Refusal {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return malformed(index, '', 'must be an object')
  }
  const { op } = given
  if (typeof op !== 'string' || !Object.hasOwn(members, op)) {
    return malformed(index, '.op', `must be one of ${Object.keys(members).join(', ')}`)
  }
  const read: JsonObject = { op }
  for (const name of members[op as PatchOperation['op']]) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined) return malformed(index, `.${name}`, `is missing: ${op} needs it`)
    const wrong = name === 'value' ? undefined : faultOfPointer(value)
    if (wrong !== undefined) return malformed(index, `.${name}`, wrong)
    read[name] = value
  }
  return read as unknown as PatchOperation
}

function faultOfPointer(value: Json): string | undefined {
  if (typeof value !== 'string') return 'must be a JSON Pointer, such as "/a/0" or ""'
  const pointer = readPointer(value)
  return 'fault' in pointer ? `is not a valid JSON Pointer: ${pointer.fault}` : undefined
}

function malformed(index: number, member: string, what: string): Refusal {
  const path = `operations[${index}]${member}`
  const hint = 'Write operations as RFC 6902 does: {"op": "replace", "path": "/a/0", "value": 1}.'
  return refuse('invalid_input', `${path} ${what}.`, hint, { path, index })
}
