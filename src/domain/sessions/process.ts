import type { Deciding } from '../log/deciding.ts'
import { type Ref, rowOf } from '../log/rows.ts'
import { type ProcessIdentity, type SessionProcessRow, sessionProcesses } from './tables.ts'

/** Why a session has ended whose process was found gone. */
export const processGone = 'process gone'

/** Why one stands still whose program has come to its end. */
export const programEnded = 'its program has ended'

/** The process of a session, if it has one that it ends with. */
export function processRef(no: number): Ref {
  return rowOf(sessionProcesses, no)
}

/** From now on the session ends with this process. */
export function bindProcess(on: Deciding, no: number, process: ProcessIdentity): void {
  const { host, boot, space, pid, started } = process
  on.keep(sessionProcesses, { root: on.rows.root, no, host, boot, space, pid, started })
}

/** The session has ended, and nobody needs to look for its process any more. */
export function unbindProcess(on: Deciding, no: number): void {
  const row = on.rows.get(sessionProcesses, no)
  if (row !== undefined && row.host !== null) on.keep(sessionProcesses, { ...row, host: null })
}

export function isSameProcess(row: SessionProcessRow | undefined, other: ProcessIdentity): boolean {
  if (row === undefined) return false
  const { host, boot, space, pid, started } = other
  return row.host === host && row.boot === boot && row.space === space && row.pid === pid && row.started === started
}
