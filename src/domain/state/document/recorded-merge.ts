import { isObject } from '../../../json/merge-patch.ts'
import type { PatchOperation } from '../../../json/patch-operation.ts'
import { pointerText } from '../../../json/pointer.ts'
import { type Json, type JsonObject, sameJson } from '../../../json/value.ts'
import type { StateFact } from '../facts.ts'

/** How the log says what a merge did. */
export type RecordedMerge =
  | Said<Extract<StateFact, { type: 'patch' }>>
  | Said<Extract<StateFact, { type: 'json_patch' }>>

type Said<Fact extends StateFact> = Pick<Fact, 'type' | 'data'>

/**
 * What operators and dotted names did to an object, in terms that whoever reads the log knows from the RFCs: a merge patch, or the
 * operations of a JSON Patch where a merge patch cannot say it (nulls, since its null removes) or would repeat a long array for each
 * item that is appended. What was not touched is the same object in both, so only what was touched is looked at.
 */
export function recordedMerge(before: JsonObject | undefined, after: JsonObject, operationsMax: number): RecordedMerge {
  const patch = mergeBetween(before ?? {}, after)
  if (patch !== undefined) return { type: 'patch', data: { patch } }
  const operations = before === undefined ? [] : operationsBetween(before, after, [])
  const isShort = operations.length > 0 && operations.length <= operationsMax
  return { type: 'json_patch', data: { operations: isShort ? operations : [{ op: 'add', path: '', value: after }] } }
}

function mergeBetween(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch: JsonObject = {}
  for (const name of namesGone(before, after)) patch[name] = null
  for (const [name, old, value] of changedMembers(before, after)) {
    if (isObject(old) && isObject(value)) {
      const below = mergeBetween(old, value)
      if (below === undefined) return undefined
      if (Object.keys(below).length > 0) patch[name] = below
    } else if (removesSomething(value) || appendedTo(old, value) !== undefined) return undefined
    else patch[name] = value
  }
  return patch
}

function namesGone(before: JsonObject, after: JsonObject): string[] {
  return Object.keys(before).filter((name) => !Object.hasOwn(after, name))
}

function changedMembers(before: JsonObject, after: JsonObject): [name: string, old: Json | undefined, value: Json][] {
  const members = Object.entries(after).map(([name, value]): [string, Json | undefined, Json] => {
    return [name, Object.hasOwn(before, name) ? before[name] : undefined, value]
  })
  return members.filter(([, old, value]) => {
    return old !== value && (old === undefined || isObject(value) || !sameJson(old, value))
  })
}

/** Whether a value would not come out as itself when it stands in a merge patch. Inside of arrays nothing has a meaning. */
function removesSomething(value: Json): boolean {
  return value === null || (isObject(value) && Object.values(value).some(removesSomething))
}

/** The items at the end of an array that was there before; undefined unless it is that array with something appended. */
function appendedTo(before: Json | undefined, after: Json): Json[] | undefined {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length === 0) return undefined
  const isLonger = after.length > before.length && before.every((item, at) => sameJson(item, after[at] as Json))
  return isLonger ? after.slice(before.length) : undefined
}

function operationsBetween(before: JsonObject, after: JsonObject, path: readonly string[]): PatchOperation[] {
  const gone = namesGone(before, after).map((name): PatchOperation => {
    return { op: 'remove', path: pointerText([...path, name]) }
  })
  const changed = changedMembers(before, after)
  return [...gone, ...changed.flatMap(([name, old, value]) => operationsAt(old, value, [...path, name]))]
}

function operationsAt(old: Json | undefined, value: Json, path: readonly string[]): PatchOperation[] {
  if (isObject(old) && isObject(value)) return operationsBetween(old, value, path)
  const appended = appendedTo(old, value)
  if (appended === undefined) return [{ op: old === undefined ? 'add' : 'replace', path: pointerText(path), value }]
  return appended.map((item) => ({ op: 'add', path: pointerText([...path, '-']), value: item }))
}
