import type { ReportTakeover } from '../../../domain/journal/report/report.ts'
import { isoTime } from '../../../domain/log/identity.ts'
import { versionAt } from '../../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../../domain/log/questions.ts'
import { aboutLog } from '../../../domain/log/sql/about-log.ts'
import { type EventRow, streams } from '../../../domain/log/tables.ts'
import { type RecoveryPlanned, workflowStream } from '../../../domain/workflow/facts.ts'
import { most, type Span } from './span.ts'

/** Events of the workflow that are looked through, the newest first: a server that died before them is no news any more. */
const looked = 20_000

/** When agents were taken over from a server or supervisor that was gone, within a span. */
export function* takeovers({ root, since, last }: Span): Asking<ReportTakeover[]> {
  const now = (yield* askRow(streams, root, workflowStream))?.version ?? 0
  if (now === 0) return []
  const upto = yield* versionAt(root, workflowStream, now, last)
  const after = Math.max(upto - looked, yield* versionAt(root, workflowStream, now, since))
  const rows = yield* ask(aboutLog.of_type, root, workflowStream, 'recovery_planned', after, upto, most.servers)
  return rows.flatMap((row) => (row.data === null ? [] : [takeoverOf(row, JSON.parse(row.data))]))
}

function takeoverOf({ at }: Pick<EventRow, 'at'>, { steps, server }: RecoveryPlanned): ReportTakeover {
  const kept = steps.filter(({ rung }) => rung === 'adopt').length
  return {
    at: server?.at ?? null,
    how: server?.how ?? null,
    back_at: server?.back ?? isoTime(at),
    kept_running: kept,
    lost: steps.length - kept,
  }
}
