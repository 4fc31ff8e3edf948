import type { Flag } from './registry/flag.ts'
import { didYouMean } from './suggestion.ts'
import { usageError } from './usage.ts'

/** What stood on the line: arguments by place, and flags by name without their dashes. */
export interface Given {
  readonly places: readonly string[]
  readonly flags: ReadonlyMap<string, string>
  /** Of flags that may be given several times, each value; `flags` has the first. */
  readonly several: ReadonlyMap<string, readonly string[]>
}

/** A lone `-` is standard input and `-5` is a number; both are arguments. */
function isFlag(token: string): boolean {
  return token.startsWith('-') && token !== '-' && !/^-\.?\d/.test(token)
}

/** `--name`, `--name=value`, or a letter: `-f`. */
function splitFlag(token: string, known: ReadonlyMap<string, Flag>): { name: string; value: string | undefined } {
  const short = [...known.values()].find((flag) => token === `-${flag.short}`)
  if (short !== undefined) return { name: short.name, value: undefined }
  const equals = token.indexOf('=')
  const name = token.slice(token.startsWith('--') ? 2 : 0, equals < 0 ? undefined : equals)
  return { name, value: equals < 0 ? undefined : token.slice(equals + 1) }
}

/** Reads what stands after the words of a command. `usage` is shown with what is wrong. */
export function readArguments(tokens: readonly string[], known: ReadonlyMap<string, Flag>, usage: string): Given {
  const places: string[] = []
  const flags = new Map<string, string>()
  const several = new Map<string, string[]>()
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string
    if (token === '--') {
      places.push(...tokens.slice(at + 1))
      break
    }
    if (!isFlag(token)) {
      places.push(token)
      continue
    }
    const { name, value } = splitFlag(token, known)
    const flag = known.get(name)
    if (flag === undefined) throw unknownFlag(token, name, [...known.keys()], usage)
    const isAnother = flags.has(name)
    if (isAnother && !flag.schema.each) throw usageError(`--${name} is given twice.`, `Give it once. ${usage}`)
    const takesNext = value === undefined && flag.schema.kind !== 'boolean'
    const text = takesNext ? nextValue(flag, tokens[++at], usage) : (value ?? 'true')
    if (!isAnother) flags.set(name, text)
    if (flag.schema.each) several.set(name, [...(several.get(name) ?? []), text])
  }
  return { places, flags, several }
}

function nextValue({ name }: Flag, next: string | undefined, usage: string): string {
  if (next === undefined) throw usageError(`--${name} needs a value.`, usage)
  // A flag where a value should be is a forgotten value far more often than a text that looks like one.
  if (!next.startsWith('--')) return next
  throw usageError(
    `--${name} needs a value, and ${next} is a flag.`,
    `To pass it as the value, write --${name}=${next}. ${usage}`,
  )
}

function unknownFlag(token: string, name: string, known: readonly string[], usage: string): Error {
  const flag = token.split('=', 1)[0] ?? token
  const meant = didYouMean(
    name,
    known.map((each) => [each, `--${each}`]),
  )
  return usageError(`Unknown flag ${flag}.`, `${meant}${usage}`)
}

/** An empty text is a variable that was not set: nobody means it. */
export function filled({ flags }: Given, name: string): string | undefined {
  if (flags.get(name) === '') throw usageError(`--${name} is empty.`, 'Leave it out, or give it a value.')
  return flags.get(name)
}
