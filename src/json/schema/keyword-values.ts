import type { Json, JsonObject } from '../value.ts'
import { type Clause, isObject } from './clause.ts'

/** What keywords take. Each answers undefined, and says so in the clause, when something else is given. */

export function numberIn(clause: Clause): number | undefined {
  return typeof clause.given === 'number' ? clause.given : clause.wrong('must be a number')
}

export function countIn(clause: Clause): number | undefined {
  const { given } = clause
  const fits = typeof given === 'number' && Number.isInteger(given) && given >= 0
  return fits ? given : clause.wrong('must be a whole number, 0 or more')
}

export function flagIn(clause: Clause): boolean | undefined {
  return typeof clause.given === 'boolean' ? clause.given : clause.wrong('must be true or false')
}

export function textIn(clause: Clause): string | undefined {
  return typeof clause.given === 'string' ? clause.given : clause.wrong('must be text')
}

export function listIn(clause: Clause): Json[] | undefined {
  return Array.isArray(clause.given) ? clause.given : clause.wrong('must be a list')
}

/** A list of schemas; an empty one says nothing and is a mistake. */
export function schemasIn(clause: Clause): Json[] | undefined {
  const { given } = clause
  return Array.isArray(given) && given.length > 0 ? given : clause.wrong('must be a list of at least one schema')
}

export function membersIn(clause: Clause): JsonObject | undefined {
  return isObject(clause.given) ? clause.given : clause.wrong('must be an object')
}

export function isNames(given: Json | undefined): given is string[] {
  if (!Array.isArray(given) || !given.every((name) => typeof name === 'string')) return false
  return new Set(given).size === given.length
}

export function namesIn(clause: Clause): string[] | undefined {
  return isNames(clause.given) ? clause.given : clause.wrong('must be a list of names, each once')
}
