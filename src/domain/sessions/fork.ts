import { eventOf } from '../log/event.ts'
import { foldName } from '../log/identity.ts'
import type { ForkedRows, ForkPoint } from '../log/part.ts'
import { type Asking, ask } from '../log/questions.ts'
import { rowsAt } from '../log/row-past.ts'
import { aboutLog } from '../log/sql/about-log.ts'
import { agents } from '../workflow/tables.ts'
import { type SessionFact, sessionStream } from './facts.ts'
import { identityOf } from './session.ts'
import { type SessionNameRow, type SessionRow, sessionNames, sessions } from './tables.ts'

/** The sessions of a fork have the numbers of those they were, and ids of their own. */
export function* forkSessions({ root, at, to }: ForkPoint): Asking<ForkedRows> {
  const rows: SessionRow[] = []
  const names: SessionNameRow[] = []
  for (const row of yield* rowsAt(sessions, root, at)) {
    const [created] = yield* ask(aboutLog.events_of_version, root, sessionStream(row.no), 1)
    if (created?.data == null) throw new Error(`session ${row.no} of ${root} has no creation`)
    const event = eventOf(created as typeof created & { data: string })
    const given = identityOf(to.id, event, event.data as Extract<SessionFact, { type: 'session_created' }>['data'])
    rows.push({ ...row, root: to.root, ...given })
    names.push({ root: to.root, folded: foldName(given.name), no: row.no })
  }
  for (const { no, id } of yield* rowsAt(agents, root, at)) names.push({ root: to.root, folded: foldName(id), no })
  return {
    rows: [
      { table: sessions, rows },
      { table: sessionNames, rows: names },
    ],
    sizes: new Map([[sessionStream(0), { items: rows.length, bytes: 0 }]]),
  }
}
