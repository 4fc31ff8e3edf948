import { entryId } from '../../../src/domain/journal/numbers.ts'
import { needs } from '../../../src/domain/journal/tables.ts'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { sessionName, sessionsIn } from '../session/agents.ts'
import { type Need, NeedItem } from './need-item.tsx'

/** What waits for a person in this root, the oldest first. */
export function needsIn(rows: RootRows): Need[] {
  const byNo = new Map(sessionsIn(rows).map((row) => [row.no, row]))
  return rows
    .all(needs)
    .filter(({ open }) => open !== null)
    .sort((a, b) => a.seq - b.seq)
    .map(({ need, kind, session, text, about, at, actions }) => {
      const row = byNo.get(session)
      return {
        id: entryId('need', need),
        kind,
        session_id: row?.id ?? '',
        agent: row === undefined || session === 0 ? undefined : sessionName(row),
        text,
        about,
        since: new Date(at).toISOString(),
        actions: actions === null ? [] : (JSON.parse(actions) as string[]),
      }
    })
}

export function NeedsHere() {
  const { rows, at } = useMoment()
  const open = rows === undefined ? [] : needsIn(rows)
  if (open.length === 0) return null
  return (
    <section aria-label="Needs you">
      <h2>Needs you</h2>
      <ul className="needs">
        {open.map((need) => (
          <NeedItem key={need.id} need={need} canAct={at === undefined} />
        ))}
      </ul>
    </section>
  )
}
