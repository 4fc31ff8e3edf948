import { type Refusal, refuse } from '../refusal.ts'
import { nearWords } from './near-words.ts'

/** A value that does not fit. The hint says what the member is for, as the message has what it must be. */
export function wrong(path: string, wanted: string, value: unknown, about: string): Refusal {
  const found = kindOf(value)
  const not = found === undefined || wanted.includes(found) || isAmong(wanted, value) ? '' : `, not ${found}`
  const hint = about === '' ? `Give ${path} as ${wanted}.` : `${path}: ${about}`
  return refuse('invalid_input', `${path} must be ${wanted}${not}.`, hint, { path })
}

/** Of a word that is not on a list, its type says nothing. */
function isAmong(wanted: string, value: unknown): boolean {
  return typeof value === 'string' && wanted.startsWith('one of ')
}

/** What a value is in words; undefined for what is no JSON. */
function kindOf(value: unknown): string | undefined {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  const kinds: Readonly<Record<string, string>> = {
    string: 'text',
    number: 'number',
    boolean: 'true or false',
    object: 'an object',
  }
  return kinds[typeof value]
}

export function tooLong(path: string, length: number, max: number): Refusal {
  const message = `${path} has ${length} characters; the maximum is ${max}.`
  return refuse('invalid_input', message, 'Shorten it.', { path })
}

export function givenTwice(inside: string, alias: string, name: string): Refusal {
  const message = `${inside}${alias} and ${inside}${name} mean the same, and both were given.`
  return refuse('invalid_input', message, 'Give one of them.', { path: inside + alias })
}

export function unknownMember(path: string, known: readonly string[]): Refusal {
  const shown = path.length > 64 ? `${path.slice(0, 64)}…` : path
  const [near] = nearWords(path.slice(path.lastIndexOf('.') + 1).slice(0, 64), known, (name) => name)
  const suggestion = near === undefined ? '' : `Did you mean ${near}? `
  return refuse(
    'invalid_input',
    `Unknown field ${JSON.stringify(shown)}.`,
    `${suggestion}Allowed fields: ${known.join(', ') || 'none'}.`,
    {
      path: shown,
    },
  )
}
