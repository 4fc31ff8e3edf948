import { journalOf } from '../../domain/journal/journal.ts'
import { type EntryKind, entryId, entryNumber } from '../../domain/journal/numbers.ts'
import type { JournalRow } from '../../domain/journal/tables.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { checkCount } from '../../domain/log/text/room.ts'

/** The number behind an id that the input was checked to hold. */
export function numberOf(kind: EntryKind, given: string): number {
  return entryNumber(kind, given) ?? 0
}

type Counted = 'decisions' | 'blockers' | 'questions' | 'implementations' | 'notes' | 'verifications' | 'files'

/** Whether there is room for so many more entries of a kind. */
export function checkEntries(on: Deciding, what: Counted, more = 1): Refusal | undefined {
  const count = (journalOf(on.rows) satisfies JournalRow)[what]
  return more === 0 ? undefined : checkCount(on.limits, 'journalEntries', count + more - 1, what)
}

export function noEntry(kind: EntryKind, number: number, list: string): Refusal {
  const id = entryId(kind, number)
  return refuse('not_found', `This root has no ${id}.`, `List them with \`${list}\`.`, { id })
}
