// What a reader of a diff would do with it: makes the later value of the earlier one.

import type { Json } from '../../src/index.ts'
import type { JsonChange } from '../../src/json/diff.ts'

type JsonObject = { [key: string]: Json }

interface Inner {
  readonly op: JsonChange['op']
  readonly path: readonly string[]
  readonly from: string | undefined
  readonly after: Json | undefined
}

export function applyDiff(before: Json | undefined, changes: readonly JsonChange[]): Json | undefined {
  return applied(
    before,
    changes.map((change) => ({
      op: change.op,
      path: partsOf(change.path),
      from: 'from' in change ? partsOf(change.from).at(-1) : undefined,
      after: 'after' in change ? change.after : undefined,
    })),
  )
}

function partsOf(pointer: string): string[] {
  const [, ...parts] = pointer.split('/')
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function applied(before: Json | undefined, changes: readonly Inner[]): Json | undefined {
  const own = changes.find(({ path }) => path.length === 0)
  if (own !== undefined) return own.after
  if (changes.length === 0) return before
  return Array.isArray(before) ? appliedToArray(before, changes) : appliedToObject(before as JsonObject, changes)
}

function inside(changes: readonly Inner[], name: string): Inner[] {
  return changes.filter(({ path }) => path[0] === name).map((change) => ({ ...change, path: change.path.slice(1) }))
}

function appliedToObject(before: JsonObject, changes: readonly Inner[]): JsonObject {
  const names = new Set([...Object.keys(before), ...changes.map(({ path }) => path[0] as string)])
  const entries = [...names].map((name) => [name, applied(before[name], inside(changes, name))] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject
}

function appliedToArray(before: readonly Json[], changes: readonly Inner[]): Json[] {
  const here = changes.filter(({ path }) => path.length === 1)
  const taken = new Set(
    here.flatMap(({ op, path, from }) => (op === 'removed' ? [path[0]] : op === 'moved' ? [from] : [])),
  )
  const left = before.filter((_, at) => !taken.has(String(at)))
  const put = new Map(here.filter(({ op }) => op === 'added' || op === 'moved').map((each) => [each.path[0], each]))
  const deeper = changes.filter(({ op, path }) => path.length > 1 || op === 'changed')
  return Array.from({ length: left.length + put.size }, (_, at) => {
    const placed = put.get(String(at))
    if (placed?.op === 'moved') return before[Number(placed.from)] as Json
    if (placed !== undefined) return placed.after as Json
    return applied(left.shift(), inside(deeper, String(at))) as Json
  })
}
