import type { Deciding } from '../log/deciding.ts'
import { type RangeRef, type Ref, rowOf } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { runStream } from './facts.ts'
import { runs, type SittingRow, sittings } from './tables.ts'

/** The sittings that a session has not ended. */
export function openSittings(no: number): RangeRef {
  return { table: sittings, range: { column: 'open', from: no, to: no + 1 } }
}

/** What must be known of a session whose worker may have crashed, and of the run that is named. */
export function crashedRefs(no: number, run?: string): Ref[] {
  const named = run === undefined ? [] : [rowOf(runs, no, run), rowOf(sittings, no, run)]
  return [rowOf(streams, runStream(no)), openSittings(no), ...named]
}

/** Ends the sittings of a session that are open, and the run that is named, as crashed; gives the sittings, oldest first. */
export function crashRuns(on: Deciding, no: number, notes: string, run?: string): SittingRow[] {
  const open = on.rows.all(sittings).filter((row) => row.open === no)
  // Rows come in the order in which they were met; what is recorded must not depend on that.
  open.sort((a, b) => a.sitting - b.sitting)
  on.rows.mustKnow(open.map((row) => rowOf(runs, no, row.run)))
  const named = run === undefined ? undefined : on.rows.get(runs, no, run)
  const alone = named?.ended_at === null && !open.some((row) => row.run === run) ? [named.run] : []
  for (const crashed of [...open.map((row) => row.run), ...alone])
    on.record({ type: 'run_ended', stream: runStream(no), data: { run: crashed, how: 'crashed', notes } })
  return open
}
