import type { Schema } from '../../domain/log/input-schema.ts'
import { CairnRefusal, Refusal, refuse } from '../../domain/log/refusal.ts'
import { depthCeiling } from '../../json/limits.ts'
import { readJson } from '../../json/value.ts'
import { readSource } from './sources.ts'
import { usageError } from './usage.ts'

/** A batch wraps its values in a document, a list and an item. */
const levelsAroundValue = 3

/** One argument or flag as it was written. */
export interface Written {
  readonly member: string
  /** How the person knows it: `KEY` or `--version`. */
  readonly name: string
  readonly text: string
  readonly usage: string
}

/** Turns a text of the command line into what the schema of its member asks for. `bytesMax` is how much may be read from a file. */
export async function readValue(schema: Schema<unknown>, written: Written, bytesMax: () => number): Promise<unknown> {
  switch (schema.kind) {
    case 'text':
      return written.text
    case 'boolean':
      return booleanOf(written)
    case 'integer':
      return integerOf(written)
    case 'number':
      return parse(written.text, written)
    case 'json':
    case 'object':
      return parse(await textOf(written.text, bytesMax), written, depthCeiling)
    case 'list':
      return listOf(await listText(written.text, bytesMax), written)
  }
}

function booleanOf({ name, text, usage }: Written): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw usageError(`${name} takes no value.`, usage)
}

export function integerOf({ name, text, usage }: Written): number {
  if (/^-?(?:0|[1-9]\d*)$/.test(text)) return Number(text)
  throw usageError(`${name} takes a whole number, not ${JSON.stringify(text)}.`, usage)
}

/** `@FILE` is what stands in the file, `-` what comes on standard input. No JSON text begins like that. */
async function textOf(text: string, bytesMax: () => number): Promise<string> {
  if (text === '-') return readSource('-', bytesMax())
  return text.startsWith('@') ? readSource(text.slice(1), bytesMax()) : text
}

/** A list is long: a plain name is a file, and only what begins like JSON is JSON. */
async function listText(text: string, bytesMax: () => number): Promise<string> {
  return /^\s*[[{]/.test(text) ? text : readSource(text.replace(/^@/, ''), bytesMax())
}

/** The bare list, or a document with the list under its name as it is sent elsewhere. */
function listOf(text: string, written: Written): unknown {
  const read = parse(text, written, depthCeiling + levelsAroundValue)
  if (Array.isArray(read) || typeof read !== 'object' || read === null) return read
  const { member } = written
  const [first, second] = Object.keys(read)
  if (first === member && second === undefined) return (read as Record<string, unknown>)[member]
  const hint = `Give {"${member}": […]} or the list alone.`
  throw new CairnRefusal(refuse('invalid_input', `The document holds more or less than ${member}.`, hint))
}

function parse(text: string, written: Written, levels?: number): unknown {
  const read = readJson(text, levels)
  if (!(read instanceof Refusal)) return read
  const isArgument = text === written.text
  const hint = isArgument && 'line' in read.details ? quotingHint(text, read.hint) : read.hint
  throw new CairnRefusal(refuse(read.code, read.message, hint, read.details))
}

/** The shell takes one pair of quotes for itself, which is how most texts that are no JSON come about. */
function quotingHint(text: string, hint: string): string {
  const plain = text.length <= 40 && /^[\p{L}\p{N} ._:/-]+$/u.test(text)
  if (plain) return `A text is JSON with its double quotes, and the shell takes one pair: '${JSON.stringify(text)}'.`
  return `${hint} In a shell, put single quotes around the JSON: '{"a": 1}' or '"text"'.`
}
