import type { Deciding } from '../log/deciding.ts'
import type { RangeRef, Ref, Rows } from '../log/rows.ts'
import { journalStream, type NeedRaised } from './facts.ts'
import { journalOf, journalRefs } from './journal.ts'
import { type NeedRow, needs } from './tables.ts'

/** What must be known to raise a need about something, or to meet it: `blocker/3`, `task/12`. */
export function needRefs(...about: string[]): Ref[] {
  return [...journalRefs, ...about.map(openAbout)]
}

function openAbout(about: string): RangeRef {
  return { table: needs, range: { column: 'open', from: about, to: `${about}\u0001` } }
}

/** The open need about something. */
export function openNeed(rows: Rows, about: string): NeedRow | undefined {
  return rows.all(needs).find((row) => row.open === about)
}

/** Raises a need, unless one about the same is open; gives the number of either. */
export function raiseNeed(on: Deciding, raised: Omit<NeedRaised, 'need' | 'about'> & { about: string }): number {
  const open = openNeed(on.rows, raised.about)
  if (open !== undefined) return open.need
  const need = journalOf(on.rows).needs + 1
  on.record({ type: 'need_raised', stream: journalStream, data: { need, ...raised } })
  return need
}

/** Meets the open need about something, if there is one; gives its number. `how` is a word: answered, approved, resolved … */
export function meetNeed(on: Deciding, about: string, how: string, answer?: string): number | undefined {
  const open = openNeed(on.rows, about)
  if (open === undefined) return undefined
  const data = { need: open.need, how, ...(answer !== undefined && { answer }) }
  on.record({ type: 'need_met', stream: journalStream, data })
  return open.need
}
