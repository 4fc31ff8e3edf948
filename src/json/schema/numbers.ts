import type { Check, Clause } from './clause.ts'
import type { Keyword } from './compile.ts'
import { numberIn } from './keyword-values.ts'

function bound(holds: (value: number, limit: number) => boolean, words: string): Keyword {
  return (clause) => {
    const limit = numberIn(clause)
    if (limit === undefined) return undefined
    return (value, run) =>
      typeof value !== 'number' || holds(value, limit) ? undefined : clause.fault(run, `must be ${words} ${limit}`)
  }
}

function multipleOf(clause: Clause): Check | undefined {
  const unit = numberIn(clause)
  if (unit === undefined) return undefined
  if (unit <= 0) return clause.wrong('must be more than 0')
  return (value, run) =>
    typeof value !== 'number' || isMultiple(value, unit)
      ? undefined
      : clause.fault(run, `must be a multiple of ${unit}`)
}

/** As decimals, so that 0.3 is three times 0.1; in binary it is not. */
function isMultiple(value: number, unit: number): boolean {
  const [a, b] = [decimalOf(value), decimalOf(unit)]
  const places = Math.max(a.places, b.places)
  return (a.digits * 10n ** BigInt(places - a.places)) % (b.digits * 10n ** BigInt(places - b.places)) === 0n
}

function decimalOf(value: number): { digits: bigint; places: number } {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const places = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return places >= 0 ? { digits, places } : { digits: digits * 10n ** BigInt(-places), places: 0 }
}

export const numberKeywords: Readonly<Record<string, Keyword>> = {
  minimum: bound((value, limit) => value >= limit, 'at least'),
  maximum: bound((value, limit) => value <= limit, 'at most'),
  exclusiveMinimum: bound((value, limit) => value > limit, 'more than'),
  exclusiveMaximum: bound((value, limit) => value < limit, 'less than'),
  multipleOf,
}
