import type { Answer } from '../domain/rows.ts'
import { operations } from '../operations/index.ts'
import type { AnyAnswered, Selection } from '../operations/operation.ts'
import { outcomeOf, type Send, settled, Unsent } from './attempt.ts'
import { followRemote, type OpenFeed } from './following.ts'
import { callerHeaders, type Means } from './headers.ts'
import { type Interface, interfaceOf } from './interface.ts'
import { callRemote, deadlineMsUsual } from './remote.ts'

export interface ConnectOptions extends Means {
  /** Such as `http://127.0.0.1:4747`. */
  readonly url: string
  /** How long a call is tried before it is given up, and a feed before it is said to be lost. */
  readonly deadlineMs?: number
}

type Execute = (operation: AnyAnswered, input: object) => Promise<Answer>

/** Everything a server can be asked, as `openCairn` has it for a store of one's own. Runs wherever there is `fetch`. */
export function connect({ url, deadlineMs = deadlineMsUsual, ...means }: ConnectOptions): Interface {
  const headers = callerHeaders(means)
  const send = sending(url, headers)
  const execute: Execute = (operation, input) => callRemote(send, operation, { ...input }, deadlineMs)
  return interfaceOf({
    execute: (operation, input) => execute(operation, input as object),
    async *stream(operation, input, signal) {
      const asked = input as { session?: string }
      const { since, root } = await beginning(execute, asked.session)
      const { prefix, ...wanted } = operation.select(asked)
      const open = opening(url, headers, { root, stream: wanted.stream }, signal)
      for await (const event of followRemote(open, wanted.since ?? since, deadlineMs, signal)) {
        if (prefix === undefined || event.key === null || event.key.startsWith(prefix)) yield event
      }
    },
  })
}

/** Which root is meant, and the last sequence of its log: a feed that is lost before its first event goes on from there. */
async function beginning(execute: Execute, session: string | undefined): Promise<{ root: string; since: number }> {
  const named = session === undefined ? {} : { session }
  const { root_session_id: root } = await execute(operations.session.show, named)
  const { last_seq: since } = await execute(operations.log.list, { session: String(root), limit: 1 })
  return { root: String(root), since: Number(since) }
}

function sending(server: string, headers: Record<string, string>): Send {
  return async (operation, body, signal) => {
    const url = new URL(`/operations/${operation}`, server)
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' }).catch(throwUnsent)
    return { status: response.status, text: await response.text() }
  }
}

function opening(
  server: string,
  headers: Record<string, string>,
  wish: Pick<Selection, 'stream'> & { root: string },
  signal: AbortSignal | undefined,
): OpenFeed {
  return async (since) => {
    const url = new URL('/events', server)
    const query = { ...wish, type: 'event', since: String(since) }
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
    const response = await fetch(url, { headers, redirect: 'error', ...(signal ? { signal } : {}) })
    if (response.ok && response.body) return response.body
    const outcome = outcomeOf({ status: response.status, text: await response.text() })
    if (typeof outcome === 'object') settled(outcome)
    throw new Error('that is no feed')
  }
}

/** Where the platform says that nobody took the connection, surely nothing was sent. */
function throwUnsent(error: unknown): never {
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  throw code === 'ECONNREFUSED' || code === 'ENOTFOUND' ? new Unsent('nobody took the request') : error
}
