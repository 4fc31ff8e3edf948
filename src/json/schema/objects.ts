import { quoted } from '../refusals.ts'
import { below, type Check, type Clause, isObject } from './clause.ts'
import type { Keyword } from './compile.ts'
import { countIn, isNames, membersIn, namesIn } from './keyword-values.ts'
import type { Pattern } from './pattern.ts'

function memberCount(holds: (count: number, limit: number) => boolean, words: string): Keyword {
  return (clause) => {
    const limit = countIn(clause)
    if (limit === undefined) return undefined
    return (value, run) =>
      !isObject(value) || holds(Object.keys(value).length, limit)
        ? undefined
        : clause.fault(run, `must have ${words} ${limit} members`)
  }
}

function required(clause: Clause): Check | undefined {
  const names = namesIn(clause)
  if (names === undefined) return undefined
  return (value, run) => {
    const missing = isObject(value) ? names.find((name) => !Object.hasOwn(value, name)) : undefined
    return missing === undefined ? undefined : clause.fault(run, `must have the member ${quoted(missing)}`)
  }
}

function properties(clause: Clause): Check | undefined {
  const members = membersIn(clause)
  if (members === undefined) return undefined
  const checks = Object.entries(members).map(([name, schema]) => [name, clause.part(schema, name)] as const)
  return (value, run) => {
    if (!isObject(value)) return undefined
    for (const [name, check] of checks) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined
      const fault = member === undefined ? undefined : below(check, member, name, run)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

function patternProperties(clause: Clause): Check | undefined {
  const members = membersIn(clause)
  if (members === undefined) return undefined
  const checks: (readonly [Pattern, Check])[] = []
  for (const [source, schema] of Object.entries(members)) {
    const matches = clause.compiling.pattern(source, [...clause.path, source])
    if (matches !== undefined) checks.push([matches, clause.part(schema, source)])
  }
  return (value, run) => {
    if (!isObject(value)) return undefined
    for (const [name, member] of Object.entries(value)) {
      for (const [matches, check] of checks) {
        const fault = matches(name, run) ? below(check, member, name, run) : undefined
        if (fault !== undefined) return fault
      }
    }
    return undefined
  }
}

function additionalProperties(clause: Clause): Check {
  const { properties: named, patternProperties: matched } = clause.schema
  const sources = isObject(matched) ? Object.keys(matched) : []
  // A pattern that cannot be used is told of where it stands.
  const patterns = sources.flatMap(
    (source) => clause.compiling.pattern(source, [...clause.path.slice(0, -1), 'patternProperties', source]) ?? [],
  )
  const check = clause.part(clause.given)
  return (value, run) => {
    if (!isObject(value)) return undefined
    for (const [name, member] of Object.entries(value)) {
      if (isObject(named) && Object.hasOwn(named, name)) continue
      if (patterns.some((matches) => matches(name, run))) continue
      const fault = below(check, member, name, run)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

function propertyNames(clause: Clause): Check {
  const check = clause.part(clause.given)
  return (value, run) => {
    for (const name of isObject(value) ? Object.keys(value) : []) {
      const fault = check(name, run)
      if (fault !== undefined) return { ...fault, what: `has a member ${quoted(name)} whose name ${fault.what}` }
    }
    return undefined
  }
}

function dependentRequired(clause: Clause): Check | undefined {
  const members = membersIn(clause)
  if (members === undefined) return undefined
  const rules = Object.entries(members)
  if (!rules.every(([, names]) => isNames(names))) return clause.wrong('must have lists of names, each once')
  return (value, run) => {
    if (!isObject(value)) return undefined
    for (const [name, others] of rules as [string, string[]][]) {
      const missing = Object.hasOwn(value, name) ? others.find((other) => !Object.hasOwn(value, other)) : undefined
      if (missing !== undefined)
        return clause.fault(run, `must have the member ${quoted(missing)} beside ${quoted(name)}`)
    }
    return undefined
  }
}

function dependentSchemas(clause: Clause): Check | undefined {
  const members = membersIn(clause)
  if (members === undefined) return undefined
  const checks = Object.entries(members).map(([name, schema]) => [name, clause.same(schema, name)] as const)
  return (value, run) => {
    if (!isObject(value)) return undefined
    for (const [name, check] of checks) {
      const fault = Object.hasOwn(value, name) ? check(value, run) : undefined
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

export const objectKeywords: Readonly<Record<string, Keyword>> = {
  minProperties: memberCount((count, limit) => count >= limit, 'at least'),
  maxProperties: memberCount((count, limit) => count <= limit, 'at most'),
  required,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentRequired,
  dependentSchemas,
}
