import { type Path, pathText, quoted, shortPath } from '../../../json/refusals.ts'
import type { JsonObject } from '../../../json/value.ts'
import { checkJson, type Json } from '../../../json/value.ts'
import { Refusal, refuse } from '../../log/refusal.ts'

/** An operator at a place of a patch, with its operand held to what it takes. */
export type Operation =
  | { readonly name: '$append'; readonly operand: Json[] }
  | { readonly name: '$increment'; readonly operand: number }
  | { readonly name: '$set'; readonly operand: Json }
  | { readonly name: '$delete'; readonly operand: true }

/** What each operator takes, in words and as a test. */
const operands: { readonly [Name in Operation['name']]: { wanted: string; fits(operand: Json): boolean } } = {
  $append: { wanted: 'an array of items', fits: Array.isArray },
  $increment: { wanted: 'a number', fits: (operand) => typeof operand === 'number' },
  $set: { wanted: 'any value', fits: () => true },
  $delete: { wanted: 'true', fits: (operand) => operand === true },
}

const known = Object.keys(operands).join(', ')
const plainHint = 'Write a value with such a member by {"$set": …} or by `state.set`.'

/** The operator that an object of a patch stands for, or undefined when it is a plain one. */
export function operationIn(part: JsonObject, path: Path): Operation | undefined | Refusal {
  const names = Object.keys(part)
  const name = names.find((each) => each.startsWith('$'))
  if (name === undefined) return undefined
  if (!Object.hasOwn(operands, name)) {
    return refuseOperator(path, name, `${quoted(name)}, which is no operator`, `There are ${known}. ${plainHint}`)
  }
  if (names.length > 1) {
    const other = names.find((each) => each !== name) as string
    const what = `${name} and ${quoted(other)} beside each other`
    return refuseOperator(path, name, what, `An operator stands alone in its object. ${plainHint}`)
  }
  const { wanted, fits } = operands[name as Operation['name']]
  const operand = part[name] as Json
  if (fits(operand)) return { name, operand } as Operation
  return refuseOperator(path, name, `${name} with an operand it does not take`, `${name} takes ${wanted}.`)
}

function refuseOperator(path: Path, operator: string, what: string, hint: string): Refusal {
  const text = pathText(path)
  return refuse('invalid_input', `${shortPath(text)} holds ${what}.`, hint, { path: text, operator })
}

/** Whether a part of a patch only takes away: where nothing is, it makes nothing. */
export function isRemoval(part: Json): boolean {
  if (part === null) return true
  return typeof part === 'object' && !Array.isArray(part) && part.$delete === true && Object.keys(part).length === 1
}

/** What an operator makes of the value at its place; undefined when it takes it away. */
export function operate(
  { name, operand }: Operation,
  target: Json | undefined,
  path: Path,
  levels: number,
): Json | undefined | Refusal {
  switch (name) {
    case '$set':
      return checkJson(operand, path, levels)
    case '$delete':
      return undefined
    case '$append':
      return appended(target, operand, path, levels)
    case '$increment':
      return incremented(target, operand, path)
  }
}

function appended(target: Json | undefined, items: Json[], path: Path, levels: number): Json[] | Refusal {
  if (target !== undefined && !Array.isArray(target)) return refuseTarget('$append', 'an array', path)
  const checked = checkJson(items, path, levels)
  return checked instanceof Refusal ? checked : [...(target ?? []), ...items]
}

function incremented(target: Json | undefined, delta: number, path: Path): number | Refusal {
  if (target !== undefined && typeof target !== 'number') return refuseTarget('$increment', 'a number', path)
  const value = (target ?? 0) + delta
  return isExact(value) ? value : refuseInexact(path, target ?? null, value, delta)
}

function refuseTarget(operator: string, wanted: string, path: Path): Refusal {
  const text = pathText(path)
  const hint = `Use $set to replace it, or ${operator} where there is ${wanted} or nothing.`
  return refuse('wrong_type', `${shortPath(text)} is not ${wanted}, as ${operator} needs.`, hint, {
    path: text,
    operator,
  })
}

/** Whether a sum is still the number it claims to be. */
export function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER
}

function refuseInexact(path: Path, current: number | null, value: number, delta: number): Refusal {
  const text = pathText(path)
  const message = `${shortPath(text)} would become ${value}, which is no longer exact.`
  const hint = `Numbers must stay between ±${Number.MAX_SAFE_INTEGER}; count in larger units or start again with $set.`
  return refuse('number_out_of_range', message, hint, { path: text, current_value: current, delta })
}
