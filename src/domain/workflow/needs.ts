import type { NeedKind } from '../journal/facts.ts'
import { meetNeed } from '../journal/need.ts'
import { needs } from '../journal/tables.ts'
import type { Deciding } from '../log/deciding.ts'
import type { RangeRef } from '../log/rows.ts'

/** What a need is about that a session has: there is one of each kind at a time. */
export function needAbout(no: number, kind: NeedKind): string {
  return `session/${no}/${kind}`
}

/** The open needs of a session; without a number those of all. */
export function needsOf(no?: number): RangeRef {
  // A zero comes right after a slash.
  const begin = no === undefined ? 'session' : `session/${no}`
  return { table: needs, range: { column: 'open', from: `${begin}/`, to: `${begin}0` } }
}

/** Nobody needs to see to a session any more that has ended, or was told to go on. */
export function withdrawNeeds(on: Deciding, isOver: (no: number) => boolean, how = 'withdrawn'): void {
  const over = on.rows
    .all(needs)
    .filter(({ open, session }) => open?.startsWith(`session/${session}/`) && isOver(session))
  for (const { open } of over.sort((a, b) => a.need - b.need)) meetNeed(on, open as string, how)
}
