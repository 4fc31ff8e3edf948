import { pathText } from '../../../json/refusals.ts'
import type { JsonObject } from '../../../json/value.ts'
import { byteLength, type Json } from '../../../json/value.ts'
import type { Deciding } from '../../log/deciding.ts'
import { within } from '../../log/input-schema.ts'
import type { Limits } from '../../log/limits.ts'
import { type Refusal, refuse } from '../../log/refusal.ts'
import { allOf, type Ref, type Rows, rowOf } from '../../log/rows.ts'
import { streams } from '../../log/tables.ts'
import { stateStream } from '../facts.ts'
import { keyRefs, presentValue } from '../key.ts'
import { checkKey } from '../key-name.ts'
import { checkSchemas } from '../schemas.ts'
import { stateKeys } from '../tables.ts'

/** All keys and their values. */
export function documentRefs(rows: Rows): Ref[] {
  const all = allOf(stateKeys)
  if (rows.missing([all]).length > 0) return [all]
  return rows.all(stateKeys).flatMap((row) => keyRefs(rows, row.key, 'value'))
}

export function documentOf(rows: Rows): JsonObject {
  const document: JsonObject = {}
  for (const row of rows.all(stateKeys)) {
    const value = presentValue(rows, row)
    if (value !== undefined) document[row.key] = value
  }
  return document
}

function documentVersion(rows: Rows): number {
  return rows.get(streams, stateStream)?.version ?? 0
}

/** Whoever lost the race for the document is shown all of it, so then all of it is loaded. */
export function documentVersionRefs(rows: Rows, version: number | undefined): Ref[] {
  const refs = [rowOf(streams, stateStream)]
  const isRight = version === undefined || rows.missing(refs).length > 0 || version === documentVersion(rows)
  return isRight ? refs : [...refs, ...documentRefs(rows)]
}

/** What has expired by now was recorded before, so that the version has moved by it. */
export function checkDocumentVersion({ rows }: Deciding, version: number | undefined): Refusal | undefined {
  const current = documentVersion(rows)
  if (version === undefined || version === current) return undefined
  const message = `The state is at version ${current}, not ${version}.`
  const hint = `Read it again, redo the change, and write with \`version: ${current}\`.`
  const details = { current_version: current, your_version: version, current_state: documentOf(rows) }
  return refuse('version_conflict', message, hint, details)
}

/** Whether a document may stand as the whole state of a root: each of its keys and values, and all of them together. */
export function checkDocument(
  document: JsonObject,
  { rows, limits }: { rows: Rows; limits: Limits },
): Refusal | undefined {
  const keys = Object.keys(document)
  if (keys.length > limits.keys) {
    const message = `This document has ${keys.length} keys; the limit keys is ${limits.keys}.`
    const hint = 'Combine related values in one object.'
    return refuse('too_many_keys', message, hint, { limit: 'keys', limit_value: limits.keys })
  }
  let total = 0
  for (const key of keys) {
    const refusal = checkKey(key, limits.keyBytes)
    if (refusal) return badKey(key, refusal)
    const value = document[key] as Json
    const broken = checkSchemas(rows, key, () => value)
    if (broken) return within(pathText([key]), broken)
    const bytes = byteLength(JSON.stringify(value))
    total += bytes
    if (bytes > limits.valueBytes) return tooLarge(`The value of ${JSON.stringify(key)}`, bytes, 'valueBytes', limits)
  }
  return total > limits.stateBytes ? tooLarge('This document', total, 'stateBytes', limits) : undefined
}

function badKey(key: string, { code, message, hint, details }: Refusal): Refusal {
  return refuse(code, message, hint, { ...details, path: pathText([key]) })
}

function tooLarge(what: string, bytes: number, limit: 'valueBytes' | 'stateBytes', limits: Limits): Refusal {
  const message = `${what} would have ${bytes} bytes; the limit ${limit} is ${limits[limit]}.`
  const hint = 'Keep large data in files and store their paths.'
  return refuse('value_too_large', message, hint, { limit, limit_value: limits[limit] })
}
