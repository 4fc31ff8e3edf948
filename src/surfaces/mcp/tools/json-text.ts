import { Refusal, refuse } from '../../../domain/log/refusal.ts'
import { depthCeiling } from '../../../json/limits.ts'
import { type Json, readJson } from '../../../json/value.ts'

/** Enough to recognise a text by. */
const shownCharsMax = 60

/** A value that a model gives as JSON text. JSON that is no text is taken as it is. */
export function readJsonText(name: string, value: Json): Json | Refusal {
  if (typeof value !== 'string') return value
  const read = readJson(value, depthCeiling)
  if (!(read instanceof Refusal) || !isNoJson(value)) return read
  return refuse('invalid_input', `${name} is no JSON text: ${read.message}`, quotingHint(name, value), { path: name })
}

function isNoJson(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

function quotingHint(name: string, text: string): string {
  const isLong = text.length > shownCharsMax || /[[{]/.test(text.trim().charAt(0))
  const shown = isLong ? 'text' : text
  const quoted = JSON.stringify(JSON.stringify(shown))
  return `Give ${name} as JSON. A text keeps its double quotes: {"${name}": ${quoted}}; other values are {"${name}": "5"} or {"${name}": "{\\"a\\": 1}"}.`
}
