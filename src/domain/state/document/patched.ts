import { applyMergePatch } from '../../../json/merge-patch.ts'
import { applyJsonPatch, type PatchLimits } from '../../../json/patch.ts'
import type { PatchOperation } from '../../../json/patch-operation.ts'
import type { Json, JsonObject } from '../../../json/value.ts'
import type { Event } from '../../log/event.ts'
import { inputCeilings, type Limits } from '../../log/limits.ts'
import { Refusal } from '../../log/refusal.ts'
import type { Rows } from '../../log/rows.ts'
import { mayBeDifference, writeValue } from '../evolve.ts'
import { liveKey, presentValue } from '../key.ts'
import type { KeyRow } from '../tables.ts'
import { mergeObject } from './merge.ts'
import { type RecordedMerge, recordedMerge } from './recorded-merge.ts'

/** What was once recorded is held to nothing that a store could since have been set to. */
const recordedLimits: PatchLimits = { levels: inputCeilings.depth }

/** What a patch makes of a key: the value and its text. */
export interface Patched {
  readonly value: Json
  readonly text: string
}

interface Known extends Patched {
  readonly row: KeyRow | undefined
}

/**
 * What patches made of rows, as long as both are held: a patch is applied when it is decided on and again when it is
 * recorded, and a long value is costly to make twice. Rows and patches are never changed, so the answer stays right.
 */
const known = new WeakMap<object, Known>()

function remembered(
  patch: object,
  row: KeyRow | undefined,
  make: () => Json | undefined | Refusal,
): Patched | Refusal | undefined {
  const before = known.get(patch)
  if (before !== undefined && before.row === row) return before
  const value = make()
  return value === undefined || value instanceof Refusal ? value : remember(patch, row, value)
}

function remember(patch: object, row: KeyRow | undefined, value: Json): Patched {
  const made = { row, value, text: JSON.stringify(value) }
  known.set(patch, made)
  return made
}

/** Patches do not change the value they are applied to, so one that was just made serves as it is. */
function presentOf(rows: Rows, row: KeyRow): Json | undefined {
  return rows.lastMade?.row === row ? rows.lastMade.value : presentValue(rows, row)
}

/** A merge that somebody asks for, with operators and dotted names: what it makes, and how that is recorded without them. */
export function mergeAsked(
  rows: Rows,
  key: string,
  patch: JsonObject,
  { batch, depth }: Limits,
): { readonly made: Patched; readonly recorded: RecordedMerge } | Refusal {
  const row = liveKey(rows, key)
  const target = objectIn(rows, row)
  const merged = mergeObject(target, patch, depth)
  if (merged instanceof Refusal) return merged
  if (merged.isPlain) return { made: remember(patch, row, merged.value), recorded: { type: 'patch', data: { patch } } }
  const recorded = recordedMerge(target, merged.value, batch)
  // The members may come out in another order than the asking had them: what stands is what the log says.
  const made =
    recorded.type === 'patch'
      ? remember(recorded.data.patch, row, applyMergePatch(target, recorded.data.patch))
      : remember(
          recorded.data.operations,
          row,
          applyJsonPatch(target, recorded.data.operations, recordedLimits) as Json,
        )
  return { made, recorded }
}

/** What is no object counts as none. */
function objectIn(rows: Rows, row: KeyRow | undefined): JsonObject | undefined {
  return row?.type === 'object' ? (presentOf(rows, row) as JsonObject) : undefined
}

/** A JSON Patch of the value under a key; undefined where it leaves nothing as nothing. */
export function jsonPatched(
  rows: Rows,
  key: string,
  operations: readonly PatchOperation[],
  limits: PatchLimits = recordedLimits,
): Patched | Refusal | undefined {
  const row = liveKey(rows, key)
  const value = () => (row === undefined ? undefined : presentOf(rows, row))
  return remembered(operations, row, () => applyJsonPatch(value(), operations, limits))
}

export function mergeKey(rows: Rows, event: Event, key: string, patch: JsonObject): void {
  const row = liveKey(rows, key)
  const made = remembered(patch, row, () => applyMergePatch(objectIn(rows, row), patch))
  writePatched(rows, event, key, patch, made)
}

export function jsonPatchKey(rows: Rows, event: Event, key: string, operations: readonly PatchOperation[]): void {
  writePatched(rows, event, key, operations, jsonPatched(rows, key, operations))
}

/** The past of an object keeps the patch alone where that is shorter; after so many the value is written whole again. */
function writePatched(rows: Rows, event: Event, key: string, patch: object, made: Patched | Refusal | undefined): void {
  if (made === undefined || made instanceof Refusal) {
    throw new Error(`a recorded patch of ${key} does not apply: ${made?.message ?? 'there is no value'}`)
  }
  const { value, text } = made
  const old = liveKey(rows, key)
  const body = JSON.stringify(patch)
  const chained =
    old?.type === 'object' && text.startsWith('{') && mayBeDifference(old, text) && body.length * 2 < text.length
  if (chained) writeValue(rows, event, key, value, text, { kind: 'merge', prior: old.seq, body }, old.deltas + 1)
  else writeValue(rows, event, key, value, text, { kind: 'whole', prior: 0, body: text }, 0)
  const row = liveKey(rows, key)
  rows.lastMade = row && { row, value }
}
