import type { PastQuestion } from '../../domain/log/questions.ts'
import type { FirstRef, PastRef, RangeRef, Ref } from '../../domain/log/rows.ts'
import { placeOf } from '../../domain/log/tables.ts'

export function nameOf(ref: Ref): string {
  if ('past' in ref) return nameOfPast(ref)
  if ('first' in ref) return nameOfFirst(ref)
  return 'range' in ref ? nameOfRange(ref) : `${ref.table.name} ${placeOf(ref.key)}`
}

/** What several calls of a group ask of the past is asked once. */
export function nameOfPast(ref: PastRef): string {
  return `${numberOf(ref.past)} ${JSON.stringify(ref.with)}`
}

/** Two parts may have questions of one name, and the texts of questions are long. */
const numbers = new Map<PastQuestion, number>()

function numberOf(question: PastQuestion): number {
  const number = numbers.get(question) ?? numbers.size
  numbers.set(question, number)
  return number
}

export function nameOfRange({ table, range }: RangeRef): string {
  return `${table.name} ${JSON.stringify(range)}`
}

export function nameOfFirst({ table, first }: FirstRef): string {
  return `first ${table.name} ${JSON.stringify(first)}`
}
