import { systemClock } from '../../clock.ts'
import { type Schema, takesAnyValue } from '../../domain/log/input-schema.ts'
import { CairnRefusal, Refusal, refuse } from '../../domain/log/refusal.ts'
import { depthCeiling } from '../../json/limits.ts'
import { quoted } from '../../json/refusals.ts'
import { checkJson, type Json, readJson } from '../../json/value.ts'
import { readWritten } from '../../json/written-value.ts'
import { type FileLimit, readSource } from './sources.ts'
import { didYouMean } from './suggestion.ts'
import { readTime } from './times.ts'
import { usageError } from './usage.ts'

/** A batch wraps its values in a document, a list and an item. */
const levelsAroundValue = 3

/** One argument or flag as it was written. */
export interface Written {
  readonly member: string
  /** How the person knows it: `KEY` or `--version`. */
  readonly name: string
  readonly text: string
  /** Of a flag that may be given several times, all that was given. */
  readonly texts?: readonly string[]
  readonly usage: string
  /** Whether a value is to be taken as text, whatever it looks like. */
  readonly isText?: boolean
}

/** Turns a text of the command line into what the schema of its member asks for. `bytesMax` is how much may be read from a file. */
export async function readValue(
  schema: Schema<unknown>,
  written: Written,
  bytesMax: () => FileLimit,
): Promise<unknown> {
  if (schema.each) return itemsGiven(schema.each, written, bytesMax)
  switch (schema.kind) {
    case 'text':
      if (schema.isProse) return proseOf(written.text, bytesMax)
      return schema.isTime ? timeWritten(schema, written) : wordWritten(schema, written)
    case 'boolean':
      return booleanOf(written)
    case 'integer':
      return integerOf(written)
    case 'number':
      return parse(written.text, written)
    case 'json':
    case 'object':
      return valueWritten(schema, written, bytesMax)
    case 'list':
      return listOf(await listText(written.text, bytesMax), written)
  }
}

async function itemsGiven(item: Schema<unknown>, written: Written, bytesMax: () => FileLimit): Promise<unknown[]> {
  const items: unknown[] = []
  for (const text of written.texts ?? [written.text]) items.push(await readValue(item, { ...written, text }, bytesMax))
  return items
}

/** A word that is not on a list is refused as the operation would, with the one that may have been meant. */
function wordWritten({ json }: Schema<unknown>, { member, name, text, usage }: Written): string {
  const among = Array.isArray(json.enum) ? json.enum.map(String) : undefined
  if (among === undefined || among.includes(text)) return text
  const meant = didYouMean(
    text,
    among.map((each) => [each, each]),
  )
  const message = `${name} must be one of ${among.join(', ')}, not ${quoted(text)}.`
  throw new CairnRefusal(refuse('invalid_input', message, `${meant}${usage}`, { path: member }))
}

/** A time as people write it; what is none is refused here, where the short forms can be named. */
function timeWritten(schema: Schema<unknown>, { name, text }: Written): string {
  const time = readTime(text, systemClock().now())
  const checked = schema.check(time, name)
  if (!(checked instanceof Refusal)) return time
  const hint = `${checked.hint} In a command also 10m (ago) or 11:30 (the last time it was that).`
  throw new CairnRefusal(refuse(checked.code, checked.message, hint, checked.details))
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
function sourceOf(text: string): string | undefined {
  if (text === '-') return '-'
  return text.startsWith('@') ? text.slice(1) : undefined
}

async function proseOf(text: string, bytesMax: () => FileLimit): Promise<string> {
  const source = sourceOf(text)
  return source === undefined ? text : readSource(source, bytesMax())
}

/** What is written in the line may be a text without quotes; what comes from a file is JSON, and a text with `--text`. */
async function valueWritten(schema: Schema<unknown>, written: Written, bytesMax: () => FileLimit): Promise<unknown> {
  const source = sourceOf(written.text)
  const text = source === undefined ? written.text : await readSource(source, bytesMax())
  if (schema.json.type === 'array' && source === undefined) return itemsWritten(text)
  if (!takesAnyValue(schema)) return parse(text, written, depthCeiling)
  if (written.isText) return accepted(checkJson(text), '')
  return source === undefined
    ? accepted(readWritten(text, depthCeiling), `${shellHint} --text takes it as text.`)
    : accepted(readJson(text, depthCeiling), fileHint)
}

/** Most often one item is meant by what is no array: the hint shows it as one. */
function itemsWritten(text: string): Json {
  const read = readJson(text, depthCeiling)
  if (Array.isArray(read)) return read
  const isWritten = !(read instanceof Refusal)
  if (!isWritten && (read.details.line === undefined || /^\s*[[{"]/.test(text))) return accepted(read, shellHint)
  const array = JSON.stringify([isWritten ? read : text])
  const message = `${JSON.stringify(text.slice(0, 100))} is not a JSON array.`
  throw new CairnRefusal(refuse('invalid_input', message, `For this one item, write ${inShell(array)}.`, { path: '$' }))
}

/** As a shell takes it for one word. */
function inShell(word: string): string {
  return word.length > 200 ? `'["…"]'` : `'${word.replaceAll("'", "'\\''")}'`
}

/** A list is long: a plain name is a file, and only what begins like JSON is JSON. */
async function listText(text: string, bytesMax: () => FileLimit): Promise<string> {
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
  throw new CairnRefusal(refuse('invalid_input', `The document must have one member, ${member}.`, hint))
}

function parse(text: string, written: Written, levels?: number): Json {
  return accepted(readJson(text, levels), text === written.text ? shellHint : '')
}

/** The shell takes one pair of quotes for itself, which is how most texts that are no JSON come about. */
const shellHint = ` In a shell, put single quotes around JSON: '{"a": 1}' or '"text"'.`
const fileHint = ' What comes from a file or a pipe is read as JSON; --text takes it as text.'

/** `more` is added to the hint of what is no JSON. */
function accepted(read: Json | Refusal, more: string): Json {
  if (!(read instanceof Refusal)) return read
  const hint = 'line' in read.details ? read.hint + more : read.hint
  throw new CairnRefusal(refuse(read.code, read.message, hint, read.details))
}
