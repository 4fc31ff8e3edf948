import type { LocalPerformer } from '../../../client/local.ts'
import type { FeedEvent } from '../../../domain/log/event.ts'
import { operations } from '../../../operations/index.ts'
import { logFollow } from '../../../operations/log/follow.ts'
import type { AnyStream } from '../../../operations/operation.ts'
import { printJson, printOut } from '../output.ts'
import type { Asked } from '../registry/presentation.ts'
import { terminalOf } from '../terminal.ts'
import { usageError } from '../usage.ts'
import { eventLines } from '../views/events.ts'
import { SessionNames } from './session-names.ts'

interface StreamInput {
  readonly session?: string
  readonly since?: number | string
}

/** Prints each event as it happens, one a line, until it is interrupted or nobody reads it any more. */
export async function printEvents(operation: AnyStream, { request, performer, json }: Asked): Promise<number> {
  const input: StreamInput = request.input
  return printFollowing(performer, operation, input, printing(performer, input.session, json))
}

async function printFollowing(
  performer: LocalPerformer,
  operation: AnyStream,
  input: StreamInput,
  print: (event: FeedEvent) => Promise<boolean>,
): Promise<number> {
  const interrupted = new AbortController()
  process.once('SIGINT', () => interrupted.abort())
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
export async function followLog({ request, performer, json }: Asked): Promise<number> {
  const { limit, at, at_time: time, ...input }: LogInput = request.input
  const odd = at !== undefined ? '--at' : time !== undefined ? '--at-time' : undefined
  if (odd !== undefined)
    throw usageError(`${odd} cannot be combined with --follow.`, 'The past does not change: leave one out.')
  const print = printing(performer, input.session, json)
  if (input.since !== undefined) return printFollowing(performer, logFollow, input, print)
  const page = await performer.execute(operations.log.list, { ...input, limit: limit ?? newestUsual })
  const root_session_id = page.root_session_id
  for (const event of page.events) {
    if (!(await print({ root_session_id, ...event }))) return 0
  }
  return printFollowing(performer, logFollow, { ...input, since: page.last_seq }, print)
}

/** False when nobody reads it any more. */
function printing(
  performer: LocalPerformer,
  session: string | undefined,
  json: boolean,
): (event: FeedEvent) => Promise<boolean> {
  if (json) return async (event) => printJson(event)
  const names = new SessionNames(performer, session)
  const lines = eventLines({ session, own: new Map(), nameOf: (id) => names.nameOf(id) }, terminalOf(1))
  // A feed that is refused has nothing to show, no titles either.
  let head = lines.head()
  return async (event) => {
    await names.know(event.session_id)
    const text = head + lines.line(event)
    head = ''
    return printOut(text)
  }
}
