import { depthMax } from './limits.ts'
import { Refusal, refuse } from './refusal.ts'
import { quoted } from './refusals.ts'
import { checkJson, type Json, readJson } from './value.ts'

/** What only JSON begins with. */
const beginsLikeJson = /^\s*[[{"]/

/** The words of JSON, and whatever is a number to somebody: 01, 1., .5, +1 and 1e too. Dates, versions and addresses are none. */
const isWord = /^\s*(?:true|false|null)\s*$/
const isLikeNumber = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?\s*$/

/**
 * A value as people and models write it: JSON, or a text without quotes. What begins like JSON, or looks like a number, must be JSON:
 * a typing mistake does not become a text.
 */
export function readWritten(text: string, levels: number = depthMax): Json | Refusal {
  const isNumber = isLikeNumber.test(text)
  if (!isNumber && !beginsLikeJson.test(text) && !isWord.test(text) && text.trim() !== '') return checkJson(text)
  const read = readJson(text, levels)
  if (!(read instanceof Refusal) || !isNumber || read.details.line === undefined) return read
  const hint = `Write a number as in -5, 0.5 or 1e3; to store it as text, put it in double quotes: ${quoted(text)}.`
  return refuse(read.code, read.message, hint, read.details)
}
