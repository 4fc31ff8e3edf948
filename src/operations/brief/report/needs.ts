import type { NeedKind } from '../../../domain/journal/facts.ts'
import { entryId } from '../../../domain/journal/numbers.ts'
import type { NeedFound } from '../../../domain/journal/questions.ts'
import type { ReportNeed } from '../../../domain/journal/report/report.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { type Asking, askRow } from '../../../domain/log/questions.ts'
import { agents } from '../../../domain/workflow/tables.ts'
import { writtenCommand } from '../../command-line.ts'
import { blockerBypass } from '../../journal/blocker.ts'
import { sessionAnswer } from '../../workflow/steering/answering.ts'
import { sessionApprove } from '../../workflow/steering/approve.ts'
import { sessionCancel } from '../../workflow/steering/cancel.ts'
import { sessionRetry } from '../../workflow/steering/retry.ts'

/** What whoever answers writes there. */
const toFillIn = 'TEXT'

/** What waits for a person, each with what answers it; `slug` names the root on a command line. */
export function* needsThere(root: number, slug: string, found: readonly NeedFound[]): Asking<ReportNeed[]> {
  const needs: ReportNeed[] = []
  for (const row of found) {
    const agent = (yield* askRow(agents, root, row.session))?.id ?? null
    const who = agent === null ? { session: whose(row, slug) } : { session: slug, agent }
    needs.push({
      id: entryId('need', row.need),
      kind: row.kind as NeedKind,
      agent,
      session_id: row.session_id,
      text: row.text,
      since: isoTime(row.at),
      ...answerTo(row, who),
    })
  }
  return needs
}

/** A session that is no agent is named by what people are shown of its id. */
function whose({ session, session_id }: NeedFound, slug: string): string {
  return session === 0 ? slug : session_id.slice(-8)
}

type Who = { readonly session: string; readonly agent?: string }

function answerTo({ kind, about }: NeedFound, who: Who): Pick<ReportNeed, 'operation' | 'command'> {
  const [operation, given] = answering(kind as NeedKind, about, who)
  return { operation: operation.name, command: writtenCommand(operation.command, given) }
}

function answering(kind: NeedKind, about: string | null, who: Who) {
  switch (kind) {
    case 'approval':
      return [sessionApprove, who] as const
    case 'question':
      return [sessionAnswer, { ...who, text: toFillIn }] as const
    case 'blocker':
      return [blockerBypass, { blocker: entryId('blocker', blockerIn(about)), workaround: toFillIn }] as const
    case 'failed':
      return [sessionRetry, who] as const
    case 'stale':
      return [sessionCancel, who] as const
  }
}

/** `blocker/3`: what such a need is about. */
function blockerIn(about: string | null): number {
  return Number(about?.split('/')[1])
}
