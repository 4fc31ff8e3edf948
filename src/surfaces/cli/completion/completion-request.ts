import type { Schema } from '../../../domain/log/input-schema.ts'
import type { AnyOperation } from '../../../operations/operation.ts'
import { splitWords } from '../command-words.ts'
import { flagsByName } from '../flags.ts'
import { beginsWith, commands, operationsOf } from '../registry/commands.ts'
import type { Flag } from '../registry/flag.ts'
import { ownCommand, ownCommands } from '../registry/own-commands.ts'
import { schemaOf } from '../usage.ts'

/** A word that could stand next, and what it means. */
export interface Candidate {
  readonly word: string
  readonly about: string
}

/** What could stand at the end of a line: these words, and names that only the store knows. */
export interface CompletionRequest {
  readonly candidates: readonly Candidate[]
  readonly names: ReadonlySet<'keys' | 'sessions'>
  /** What stands before the value in the same word, as in `--session=`. */
  readonly lead: string
  /** The part of the last word that is to be completed. */
  readonly begun: string
  /** Flags that are on the line, for those that say which store and session are meant. */
  readonly flags: ReadonlyMap<string, string>
}

/** What the words after `cairn` ask for; the last of them is the one being typed. */
export function completionRequestOf(tokens: readonly string[]): CompletionRequest {
  const begun = tokens.at(-1) ?? ''
  const { words, rest } = splitWords(tokens.slice(0, -1))
  const operations = operationsOf(words)
  const known = flagsByName(operations, ownCommand(words)?.flags)
  const line = readLine(rest, known)
  const request = { candidates: [], names: new Set<never>(), lead: '', begun, flags: line.flags }
  if (line.open !== undefined) return { ...request, ...valuesOf(line.open.schema, line.open.member ?? '') }
  const [, name, value] = /^--([^=]+)=(.*)$/s.exec(begun) ?? []
  const assigned = line.ended || name === undefined ? undefined : known.get(name)
  if (assigned !== undefined) {
    const values = valuesOf(assigned.schema, assigned.member ?? '')
    return { ...request, ...values, lead: `--${name}=`, begun: value ?? '' }
  }
  if (begun.startsWith('-') && !line.ended) return { ...request, candidates: flagsLeft(known, line.flags) }
  const next = line.places.length === 0 ? nextWords(words) : []
  const places = operations.map((operation) => placeOf(operation, line.places.length))
  return {
    ...request,
    candidates: [...next, ...ownArguments(words, line.places), ...places.flatMap(({ candidates }) => candidates)],
    names: new Set(places.flatMap(({ names }) => [...names])),
  }
}

interface Line {
  readonly places: readonly string[]
  readonly flags: Map<string, string>
  /** A flag at the end that waits for its value. */
  readonly open: Flag | undefined
  /** After `--` nothing is a flag. */
  readonly ended: boolean
}

/** Reads what may still be wrong: nothing is refused here. */
function readLine(rest: readonly string[], known: ReadonlyMap<string, Flag>): Line {
  const places: string[] = []
  const flags = new Map<string, string>()
  let open: Flag | undefined
  for (const [at, token] of rest.entries()) {
    if (open !== undefined) {
      flags.set(open.name, token)
      open = undefined
    } else if (token === '--') return { places: [...places, ...rest.slice(at + 1)], flags, open, ended: true }
    else if (token.startsWith('--')) {
      const [name = '', value] = token.slice(2).split(/=(.*)/s)
      const flag = known.get(name)
      if (value === undefined && flag !== undefined && flag.schema.kind !== 'boolean') open = flag
      else flags.set(name, value ?? 'true')
    } else places.push(token)
  }
  return { places, flags, open, ended: false }
}

type Values = Pick<CompletionRequest, 'candidates' | 'names'>

const nothing: Values = { candidates: [], names: new Set() }

/** Members whose values are names in the store. */
const namesOf: Partial<Record<string, 'keys' | 'sessions'>> = {
  key: 'keys',
  target: 'keys',
  session: 'sessions',
  parent: 'sessions',
}

function valuesOf({ json, about }: Schema<unknown>, member: string): Values {
  if (Array.isArray(json.enum))
    return { ...nothing, candidates: json.enum.map((each) => ({ word: String(each), about })) }
  const name = namesOf[member]
  return name === undefined ? nothing : { ...nothing, names: new Set([name]) }
}

function placeOf(operation: AnyOperation, place: number): Values {
  const member = operation.command.positional?.[place]
  return member === undefined ? nothing : valuesOf(schemaOf(operation, member), member)
}

function flagsLeft(known: ReadonlyMap<string, Flag>, given: ReadonlyMap<string, string>): Candidate[] {
  const left = [...known.values()].filter(({ name, schema }) => schema.each || !given.has(name))
  return left.map(({ name, schema }) => ({ word: `--${name}`, about: schema.about }))
}

/** Words that lead on to a command; one that leads to several is a group of them. */
function nextWords(words: readonly string[]): Candidate[] {
  const found = new Map<string, string>()
  for (const command of commands) {
    const word = command.words[words.length]
    if (word === undefined || !beginsWith(command.words, words)) continue
    const isWhole = command.words.length === words.length + 1
    found.set(word, isWhole && !found.has(word) ? command.operation.summary : (found.get(word) ?? ''))
  }
  const own = words.length === 0 ? ownCommands.map(({ word, summary }) => ({ word, about: summary })) : []
  return [...[...found].map(([word, about]) => ({ word, about })), ...own]
}

/** What stands after commands that are no operations. */
function ownArguments(words: readonly string[], places: readonly string[]): Candidate[] {
  const { firstWords = [] } = ownCommand(words) ?? {}
  if (firstWords === 'commands') return nextWords(places)
  return places.length === 0 ? firstWords.map((word) => ({ word, about: '' })) : []
}
