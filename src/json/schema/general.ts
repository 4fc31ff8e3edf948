import { canonical, type Json, sameJson } from '../value.ts'
import type { Check, Clause } from './clause.ts'
import type { Keyword } from './compile.ts'
import { short } from './excerpt.ts'
import { flagIn, listIn, textIn } from './keyword-values.ts'

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] as const
type Type = (typeof types)[number]

function isOf(type: Type, value: Json): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function isType(given: Json): given is Type {
  return (types as readonly Json[]).includes(given)
}

function type(clause: Clause): Check | undefined {
  const wanted = Array.isArray(clause.given) ? clause.given : [clause.given]
  if (wanted.length === 0 || !wanted.every(isType) || new Set(wanted).size < wanted.length)
    return clause.wrong(`must be one of ${types.join(', ')}, or a list of them`)
  const what = `must be of type ${wanted.join(' or ')}`
  return (value, run) => (wanted.some((each) => isOf(each, value)) ? undefined : clause.fault(run, what))
}

function oneOfValues(clause: Clause): Check | undefined {
  const values = listIn(clause)
  if (values === undefined) return undefined
  const what = `must be one of ${short(values.map(canonical).join(', '))}`
  return (value, run) => {
    run.steps += values.length
    return values.some((each) => sameJson(each, value)) ? undefined : clause.fault(run, what)
  }
}

function constant(clause: Clause): Check {
  const what = `must be ${short(canonical(clause.given))}`
  return (value, run) => (sameJson(clause.given, value) ? undefined : clause.fault(run, what))
}

/** Keywords that only tell: what is given must still be what they take. */
function telling(given: (clause: Clause) => unknown): Keyword {
  return (clause) => {
    given(clause)
    return undefined
  }
}

export const generalKeywords: Readonly<Record<string, Keyword>> = {
  type,
  enum: oneOfValues,
  const: constant,
  title: telling(textIn),
  description: telling(textIn),
  $comment: telling(textIn),
  // 2020-12 leaves it to the reader; values are not checked by it.
  format: telling(textIn),
  examples: telling(listIn),
  deprecated: telling(flagIn),
  readOnly: telling(flagIn),
  writeOnly: telling(flagIn),
}
