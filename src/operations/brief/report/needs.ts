import type { NeedKind } from '../../../domain/journal/facts.ts'
import { entryId } from '../../../domain/journal/numbers.ts'
import type { NeedFound } from '../../../domain/journal/questions.ts'
import type { ReportNeed } from '../../../domain/journal/report/report.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { type Asking, askRow } from '../../../domain/log/questions.ts'
import { agents } from '../../../domain/workflow/tables.ts'

/** What waits for a person, each with the command that answers it; `slug` names the root on a command line. */
export function* needsThere(root: number, slug: string, found: readonly NeedFound[]): Asking<ReportNeed[]> {
  const needs: ReportNeed[] = []
  for (const row of found) {
    const agent = (yield* askRow(agents, root, row.session))?.id ?? null
    needs.push({
      id: entryId('need', row.need),
      kind: row.kind as NeedKind,
      agent,
      session_id: row.session_id,
      text: row.text,
      since: isoTime(row.at),
      command: `cairn ${commandFor(row, agent === null ? whose(row, slug) : `${slug} --agent ${agent}`)}`,
    })
  }
  return needs
}

/** A session that is no agent is named by what people are shown of its id. */
function whose({ session, session_id }: NeedFound, slug: string): string {
  return session === 0 ? slug : session_id.slice(-8)
}

function commandFor({ kind, about }: NeedFound, who: string): string {
  switch (kind as NeedKind) {
    case 'question':
      return `answer ${who.replace(/^\S+/, (session) => `${session} TEXT`)}`
    case 'blocker':
      return `bypass ${entryId('blocker', Number(about?.split('/')[1]))} --workaround TEXT`
    case 'failed':
      return `retry ${who}`
    // What it last put out tells whether to wait or to cancel it.
    case 'stale':
      return `logs ${who}`
    case 'approval':
      return `approve ${who}`
  }
}
