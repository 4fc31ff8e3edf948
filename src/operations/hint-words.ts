import { type Refusal, refuse } from '../domain/log/refusal.ts'
import type { Json } from '../json/value.ts'

/**
 * Hints are written once, in the words of the library and in backticks: an operation as `state.set` or `session.list({ all: true })`,
 * what it takes as `version` or `version: 5`, what the environment says as `AGENT_SESSION_ID`. Each surface has words of its own for these; what it has no
 * other word for stays as it is.
 */
export interface HintWords {
  /** How an operation is asked for, with something that is given to it where the hint says so. */
  operation(name: string, given: GivenMember | undefined): string | undefined
  /** How something is given to an operation, with the value to give where the hint has one. */
  given(name: string, value: string | undefined): string | undefined
}

export interface GivenMember {
  readonly name: string
  readonly value: string
}

const named = /`(?:([a-z]+\.[a-z][A-Za-z]*)(?:\(\{ (\w+): ([^`]*?) \}\))?|([A-Za-z]\w*)(?:: ([^`]*))?)`/g

/** The refusal as a surface says it. */
export function inWordsOf(words: HintWords, refusal: Refusal): Refusal {
  const hint = hintIn(words, refusal.hint)
  const { results } = refusal.details
  // A batch tells of each of its operations.
  const details = Array.isArray(results)
    ? { ...refusal.details, results: results.map((each) => resultIn(words, each)) }
    : refusal.details
  return refuse(refusal.code, refusal.message, hint, details)
}

function hintIn(words: HintWords, hint: string): string {
  const said = (operation?: string, member?: string, of = '', name = '', value?: string): string | undefined => {
    if (operation === undefined) return words.given(name, value)
    return words.operation(operation, member === undefined ? undefined : { name: member, value: of })
  }
  return hint.replace(named, (whole, ...parts: (string | undefined)[]) => {
    const found = said(...parts.slice(0, 5))
    return found === undefined ? whole : `\`${found}\``
  })
}

function resultIn(words: HintWords, result: Json): Json {
  const isTold = typeof result === 'object' && result !== null && !Array.isArray(result)
  return isTold && typeof result.hint === 'string' ? { ...result, hint: hintIn(words, result.hint) } : result
}
