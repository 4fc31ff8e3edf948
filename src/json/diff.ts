import { arrayAlignment } from './array-alignment.ts'
import { type Json, sameJson } from './value.ts'

/**
 * One difference between two values. A path is a JSON pointer (RFC 6901) whose numbers count in the later value, but for the
 * last number of something removed and for `from`: these count in the earlier one.
 */
export type JsonChange =
  | { readonly op: 'added'; readonly path: string; readonly after: Json }
  | { readonly op: 'removed'; readonly path: string; readonly before: Json }
  | { readonly op: 'changed'; readonly path: string; readonly before: Json; readonly after: Json }
  /** An item that stands elsewhere in its array now. */
  | { readonly op: 'moved'; readonly path: string; readonly from: string; readonly to: string; readonly after: Json }

type JsonObject = { [key: string]: Json }

/** What has to be done to `before` to get `after`, by path. Undefined stands for nothing there. */
export function diffJson(before: Json | undefined, after: Json | undefined): JsonChange[] {
  const changes: JsonChange[] = []
  if (before === undefined && after !== undefined) changes.push({ op: 'added', path: '', after })
  else if (before !== undefined && after === undefined) changes.push({ op: 'removed', path: '', before })
  else if (before !== undefined && after !== undefined) compare(before, after, '', changes)
  return changes
}

function compare(before: Json, after: Json, path: string, changes: JsonChange[]): void {
  if (Array.isArray(before) && Array.isArray(after)) compareArrays(before, after, path, changes)
  else if (isObject(before) && isObject(after)) compareObjects(before, after, path, changes)
  else if (!sameJson(before, after)) changes.push({ op: 'changed', path, before, after })
}

function compareObjects(before: JsonObject, after: JsonObject, path: string, changes: JsonChange[]): void {
  for (const [name, old] of Object.entries(before)) {
    const member = `${path}/${pointerPart(name)}`
    if (Object.hasOwn(after, name)) compare(old, after[name] as Json, member, changes)
    else changes.push({ op: 'removed', path: member, before: old })
  }
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name)) changes.push({ op: 'added', path: `${path}/${pointerPart(name)}`, after: value })
  }
}

function compareArrays(before: Json[], after: Json[], path: string, changes: JsonChange[]): void {
  const { removed, added, moved, changed } = arrayAlignment(before, after)
  for (const at of removed) changes.push({ op: 'removed', path: `${path}/${at}`, before: before[at] as Json })
  for (const [from, to] of moved) {
    const place = `${path}/${to}`
    changes.push({ op: 'moved', path: place, from: `${path}/${from}`, to: place, after: after[to] as Json })
  }
  for (const at of added) changes.push({ op: 'added', path: `${path}/${at}`, after: after[at] as Json })
  for (const [from, to] of changed) compare(before[from] as Json, after[to] as Json, `${path}/${to}`, changes)
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
