import type { Check, Clause } from './clause.ts'
import type { Keyword } from './compile.ts'
import { short } from './excerpt.ts'
import { countIn, textIn } from './keyword-values.ts'

/** A character is a code point, as the specification counts; only a text near the limit has to be counted. */
function lengthOf(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function minLength(clause: Clause): Check | undefined {
  const least = countIn(clause)
  if (least === undefined) return undefined
  return (value, run) => {
    if (typeof value !== 'string' || value.length >= least * 2) return undefined
    return lengthOf(value) >= least ? undefined : clause.fault(run, `must have at least ${least} characters`)
  }
}

function maxLength(clause: Clause): Check | undefined {
  const most = countIn(clause)
  if (most === undefined) return undefined
  return (value, run) => {
    if (typeof value !== 'string' || value.length <= most) return undefined
    return value.length <= most * 2 && lengthOf(value) <= most
      ? undefined
      : clause.fault(run, `must have at most ${most} characters`)
  }
}

function pattern(clause: Clause): Check | undefined {
  const source = textIn(clause)
  const matches = source === undefined ? undefined : clause.compiling.pattern(source, clause.path)
  if (matches === undefined) return undefined
  const what = `must match the pattern ${short(String(source))}`
  return (value, run) => (typeof value !== 'string' || matches(value, run) ? undefined : clause.fault(run, what))
}

export const textKeywords: Readonly<Record<string, Keyword>> = { minLength, maxLength, pattern }
