import type { Performer } from '../../client/interface.ts'
import type { FeedEvent } from '../../domain/log/event.ts'
import type { AnyStream } from '../../operations/operation.ts'
import { printJson, printOut, safe } from './output.ts'
import { cut } from './table.ts'
import { type Terminal, terminalOf } from './terminal.ts'
import { shortId } from './views/view.ts'

/** Prints each event as it happens, one a line, until it is interrupted or nobody reads it any more. */
export async function printEvents(
  performer: Performer,
  operation: AnyStream,
  input: object,
  json: boolean,
): Promise<number> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const terminal = terminalOf(1)
  for await (const event of performer.stream(operation, input, interrupted.signal)) {
    if (interrupted.signal.aborted) break
    const isRead = json ? printJson(event) : printOut(lineOf(event, terminal))
    if (!isRead) break
  }
  return 0
}

function lineOf({ seq, type, key, data, body, session_id }: FeedEvent, terminal: Terminal): string {
  const { value = data } = (data ?? {}) as { value?: unknown }
  const text = body === undefined ? JSON.stringify(value) : `(${body})`
  const shown = cut(safe(text), Math.max(20, terminal.columns - 50))
  const words = [terminal.paint('bold', String(seq)), terminal.paint('cyan', type), safe(key ?? ''), shown]
  return `${[...words.filter((word) => word !== ''), terminal.paint('dim', `by ${shortId(session_id)}`)].join('  ')}\n`
}
