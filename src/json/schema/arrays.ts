import { canonical } from '../value.ts'
import { below, type Check, type Clause } from './clause.ts'
import type { Keyword } from './compile.ts'
import { countIn, flagIn, schemasIn } from './keyword-values.ts'

function itemCount(holds: (count: number, limit: number) => boolean, words: string): Keyword {
  return (clause) => {
    const limit = countIn(clause)
    if (limit === undefined) return undefined
    return (value, run) =>
      !Array.isArray(value) || holds(value.length, limit)
        ? undefined
        : clause.fault(run, `must have ${words} ${limit} items`)
  }
}

function prefixItems(clause: Clause): Check | undefined {
  const checks = schemasIn(clause)?.map((schema, at) => clause.part(schema, at))
  if (checks === undefined) return undefined
  return (value, run) => {
    if (!Array.isArray(value)) return undefined
    for (const [at, check] of checks.entries()) {
      const item = value[at]
      const fault = item === undefined ? undefined : below(check, item, at, run)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

function items(clause: Clause): Check {
  const check = clause.part(clause.given)
  const { prefixItems: before } = clause.schema
  const first = Array.isArray(before) ? before.length : 0
  return (value, run) => {
    if (!Array.isArray(value)) return undefined
    for (const [at, item] of value.entries()) {
      const fault = at < first ? undefined : below(check, item, at, run)
      if (fault !== undefined) return fault
    }
    return undefined
  }
}

/** `minContains` and `maxContains` mean something beside `contains` only. */
function contains(clause: Clause): Check {
  const check = clause.part(clause.given)
  const { minContains: least = 1, maxContains: most = Number.POSITIVE_INFINITY } = clause.schema
  return (value, run) => {
    if (!Array.isArray(value)) return undefined
    const found = value.filter((item, at) => below(check, item, at, run) === undefined).length
    if (found < Number(least)) return clause.fault(run, `must hold at least ${least} items that match contains`)
    return found > Number(most) ? clause.fault(run, `must hold at most ${most} items that match contains`) : undefined
  }
}

function uniqueItems(clause: Clause): Check | undefined {
  if (flagIn(clause) !== true) return undefined
  return (value, run) => {
    if (!Array.isArray(value)) return undefined
    const seen = new Map<string, number>()
    for (const [at, item] of value.entries()) {
      const text = canonical(item)
      run.steps += 1 + text.length / 16
      const before = seen.get(text)
      if (before !== undefined)
        return clause.fault(run, `must not hold an item twice: items ${before} and ${at} are equal`)
      seen.set(text, at)
    }
    return undefined
  }
}

/** Read by a neighbour; here only what is given is looked at. */
function counting(clause: Clause): undefined {
  countIn(clause)
}

export const arrayKeywords: Readonly<Record<string, Keyword>> = {
  minItems: itemCount((count, limit) => count >= limit, 'at least'),
  maxItems: itemCount((count, limit) => count <= limit, 'at most'),
  prefixItems,
  items,
  contains,
  minContains: counting,
  maxContains: counting,
  uniqueItems,
}
