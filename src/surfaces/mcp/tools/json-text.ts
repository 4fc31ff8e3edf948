import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { depthCeiling } from '../../../json/limits.ts'
import { type Json, readJson } from '../../../json/value.ts'
import { readWritten } from '../../../json/written-value.ts'

/** What a text stands for: JSON, or any value, and then also the text itself. */
export type Written = 'json' | 'value'

/** A value that a model gives as text. JSON that is no text is taken as it is. */
export function readJsonText(name: string, value: Json, written: Written): Json | Refusal {
  if (typeof value !== 'string') return value
  const read = written === 'value' ? readWritten(value, depthCeiling) : readJson(value, depthCeiling)
  if (!(read instanceof Refusal) || read.details.line === undefined) return read
  const { line, column } = read.details as { line: number; column: number }
  const message = `${name} is not valid JSON: ${read.message}`
  return refuse('invalid_input', message, `${read.hint} ${quotingHint(name, written)}`, { path: name, line, column })
}

function quotingHint(name: string, written: Written): string {
  const text = `To store this as text, put it in double quotes: {"${name}": "\\"text\\""}.`
  return written === 'value' ? text : `Give ${name} as JSON text, like {"${name}": "{\\"a\\": 1}"}.`
}
