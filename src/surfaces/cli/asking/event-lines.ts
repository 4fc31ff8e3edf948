import type { Performer } from '../../../client/interface.ts'
import type { FeedEvent } from '../../../domain/log/event.ts'
import { operations } from '../../../operations/index.ts'
import { logFollow } from '../../../operations/log/follow.ts'
import type { AnyStream } from '../../../operations/operation.ts'
import { printJson, printOut, safe } from '../output.ts'
import { cut } from '../table.ts'
import { type Terminal, terminalOf } from '../terminal.ts'
import { usageError } from '../usage.ts'
import { SessionNames } from './session-names.ts'

interface StreamInput {
  readonly session?: string
  readonly since?: number
}

/** Prints each event as it happens, one a line, until it is interrupted or nobody reads it any more. */
export async function printEvents(
  performer: Performer,
  operation: AnyStream,
  input: StreamInput,
  json: boolean,
): Promise<number> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
  const print = printing(performer, input.session, json)
  for await (const event of performer.stream(operation, input, interrupted.signal)) {
    if (interrupted.signal.aborted || !(await print(event))) break
  }
  return 0
}

/** As many as `tail -f` shows before it follows. */
const newestUsual = 10

interface LogInput extends StreamInput {
  readonly limit?: number
  readonly stream?: string
  readonly at?: number
  readonly at_time?: string
}

/** `cairn log -f`: the newest events, and then each as it happens; all after `since` where that is given. */
export async function followLog(performer: Performer, asked: LogInput, json: boolean): Promise<number> {
  const { limit, at, at_time: time, ...input } = asked
  const odd = at !== undefined ? '--at' : time !== undefined ? '--at-time' : undefined
  if (odd !== undefined)
    throw usageError(`${odd} cannot be combined with --follow.`, 'The past does not change: leave one out.')
  if (input.since !== undefined) return printEvents(performer, logFollow, input, json)
  const page = await performer.execute(operations.log.list, { ...input, limit: limit ?? newestUsual })
  const print = printing(performer, input.session, json)
  const root_session_id = String(page.root_session_id)
  for (const event of page.events as unknown as Omit<FeedEvent, 'root_session_id'>[]) {
    if (!(await print({ root_session_id, ...event }))) return 0
  }
  return printEvents(performer, logFollow, { ...input, since: Number(page.last_seq) }, json)
}

/** False when nobody reads it any more. */
function printing(
  performer: Performer,
  session: string | undefined,
  json: boolean,
): (event: FeedEvent) => Promise<boolean> {
  if (json) return async (event) => printJson(event)
  const terminal = terminalOf(1)
  const names = new SessionNames(performer, session)
  return async (event) => {
    await names.know(event.session_id)
    return printOut(lineOf(event, names.nameOf(event.session_id), terminal))
  }
}

function lineOf({ seq, type, key, data, body }: FeedEvent, by: string, terminal: Terminal): string {
  const { value = data } = (data ?? {}) as { value?: unknown }
  const text = body === undefined ? JSON.stringify(value) : `(${body})`
  const shown = cut(safe(text), Math.max(20, terminal.columns - 50))
  const words = [terminal.paint('bold', String(seq)), terminal.paint('cyan', type), safe(key ?? ''), shown]
  return `${[...words.filter((word) => word !== ''), terminal.paint('dim', `by ${safe(by)}`)].join('  ')}\n`
}
