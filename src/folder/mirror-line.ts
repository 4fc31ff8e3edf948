import { digestOf } from '../domain/log/event.ts'
import { isoTime } from '../domain/log/identity.ts'
import type { Parts } from '../domain/log/part.ts'
import { refuseSecret } from '../domain/log/secrets.ts'
import type { EventRow } from '../domain/log/tables.ts'

/** What a mirror begins with. A file of a later format is left alone. */
export interface MirrorHead {
  readonly cairn: 1
  readonly root: string
  readonly replica: string
  /** What comes before it is in the mirrors of others, or of the root that this one was forked from. */
  readonly after: number
  readonly origin?: { readonly root: string; readonly at: number }
}

/** Where the body of an event is that the mirror does not have. */
type Absence = 'removed' | 'elsewhere' | 'withheld'

/** An event as logs show it, without what differs from store to store. A body that is not for git is there as its digest. */
export function mirrorLine(parts: Parts, row: EventRow): string {
  const absence = absenceOf(parts, row)
  const digest = absence && (row.digest ?? digestOf(row.data ?? ''))
  const body = absence ? `"data":null,"body":"${absence}","digest":"${digest}"` : `"data":${row.data}`
  const { seq, id, session_no, stream, version, key, type, actor, request, cause, hash } = row
  const head = JSON.stringify({ seq, id, session_no, stream, version, key, type })
  const tail = JSON.stringify({ actor, at: isoTime(row.at), request })
  return `${head.slice(0, -1)},${body},${tail.slice(1, -1)},"cause":${cause ?? 'null'},"hash":"${hash}"}\n`
}

function absenceOf(parts: Parts, { stream, data, key }: EventRow): Absence | undefined {
  if (data === null) return 'removed'
  const part = parts.owner(stream)
  if (part?.bodies === 'may be absent') return 'elsewhere'
  // It was stored because somebody said that it is meant: that is not said of the repository.
  if (part?.secrets !== 'redact' && refuseSecret(data, key)) return 'withheld'
  return undefined
}

/** The conversation that the body of an event belongs to, where that is kept beside the mirror. */
export function transcriptOf(parts: Parts, { stream, data }: EventRow): string | undefined {
  if (data === null || parts.owner(stream)?.bodies !== 'may be absent') return undefined
  return stream.slice(stream.indexOf('/') + 1)
}

export function transcriptLine({ seq, id, data }: EventRow): string {
  return `{"seq":${seq},"id":"${id}","data":${data}}\n`
}
