import type { JsonObject } from '../event.ts'
import { byteLength, checkKey } from '../json.ts'
import { pathText } from '../json-refusals.ts'
import type { Limits } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Ref, Rows } from '../rows.ts'
import { stateKeys } from '../tables.ts'
import { keyRefs, presentValue } from './key.ts'

/** All keys and their values. */
export function documentRefs(rows: Rows): Ref[] {
  const all: Ref = { allKeys: true }
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

/** Whether a document may stand as the whole state of a root: each of its keys and values, and all of them together. */
export function checkDocument(document: JsonObject, limits: Limits): Refusal | undefined {
  const keys = Object.keys(document)
  if (keys.length > limits.keys) {
    const message = `This document has ${keys.length} keys; the limit keys is ${limits.keys}.`
    return refuse('too_many_keys', message, 'Gather related values in one object.', { limit: 'keys' })
  }
  let total = 0
  for (const key of keys) {
    const refusal = checkKey(key)
    if (refusal) return badKey(key, refusal)
    const bytes = byteLength(JSON.stringify(document[key]))
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
  const hint = 'Keep large things in files and store where they are.'
  return refuse('value_too_large', message, hint, { limit, limit_value: limits[limit] })
}
