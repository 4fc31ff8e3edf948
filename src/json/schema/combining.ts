import type { Check, Clause } from './clause.ts'
import type { Keyword } from './compile.ts'
import { schemasIn } from './keyword-values.ts'

function branches(clause: Clause): Check[] | undefined {
  return schemasIn(clause)?.map((schema, at) => clause.same(schema, at))
}

function allOf(clause: Clause): Check | undefined {
  const checks = branches(clause)
  if (checks === undefined) return undefined
  return (value, run) => {
    for (const check of checks) {
      const fault = check(value, run)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

function anyOf(clause: Clause): Check | undefined {
  const checks = branches(clause)
  if (checks === undefined) return undefined
  return (value, run) =>
    checks.some((check) => check(value, run) === undefined)
      ? undefined
      : clause.fault(run, `matches none of the ${checks.length} schemas of anyOf`)
}

function oneOf(clause: Clause): Check | undefined {
  const checks = branches(clause)
  if (checks === undefined) return undefined
  return (value, run) => {
    const fitting = checks.filter((check) => check(value, run) === undefined).length
    if (fitting === 1) return undefined
    return clause.fault(run, `must match exactly one of the ${checks.length} schemas of oneOf, but matches ${fitting}`)
  }
}

function not(clause: Clause): Check {
  const check = clause.same(clause.given)
  return (value, run) =>
    check(value, run) === undefined ? clause.fault(run, 'fits the schema that it must not fit') : undefined
}

/** `then` and `else` mean something beside `if` only. */
function conditional(clause: Clause): Check {
  const condition = clause.same(clause.given)
  const branch = (name: 'then' | 'else') => neighbour(clause, name)
  const [then, otherwise] = [branch('then'), branch('else')]
  return (value, run) => (condition(value, run) === undefined ? then : otherwise)?.(value, run)
}

function neighbour(clause: Clause, name: string): Check | undefined {
  const schema = clause.schema[name]
  if (schema === undefined) return undefined
  const path = [...clause.path.slice(0, -1), name]
  clause.compiling.applies(clause.path.slice(0, -1), path)
  return clause.compiling.schema(schema, path)
}

/** A schema that is only looked at, to tell what is wrong with it. */
function lookedAt(clause: Clause): undefined {
  clause.part(clause.given)
}

export const combiningKeywords: Readonly<Record<string, Keyword>> = {
  allOf,
  anyOf,
  oneOf,
  not,
  if: conditional,
  // biome-ignore lint/suspicious/noThenProperty: the keyword is called so.
  then: lookedAt,
  else: lookedAt,
}
