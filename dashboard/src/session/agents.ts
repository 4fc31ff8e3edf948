import type { SessionRow } from '../../../src/domain/sessions/tables.ts'
import { sessions } from '../../../src/domain/sessions/tables.ts'
import { agents } from '../../../src/domain/workflow/tables.ts'
import type { RootRows } from '../live/root-rows.ts'
import { plain } from '../parts/text.tsx'

export type { SessionRow }

/** The sessions of a root in the order of their creation: the root first. An agent is called as its workflow calls it. */
export function sessionsIn(rows: RootRows): SessionRow[] {
  const ids = new Map(rows.all(agents).map(({ no, id }) => [no, id]))
  return rows
    .all(sessions)
    .map((row) => ({ ...row, name: ids.get(row.no) ?? row.name }))
    .sort((a, b) => a.no - b.no)
}

export function sessionName({ no, name }: Pick<SessionRow, 'no' | 'name'>): string {
  return no === 0 ? 'root' : plain(name)
}

/** What a session is called, by its id. */
export function namesById(rows: RootRows | undefined): ReadonlyMap<string, string> {
  return new Map((rows === undefined ? [] : sessionsIn(rows)).map((row) => [row.id, sessionName(row)]))
}

export function namesByNo(rows: RootRows | undefined): ReadonlyMap<number, string> {
  return new Map((rows === undefined ? [] : sessionsIn(rows)).map((row) => [row.no, sessionName(row)]))
}
