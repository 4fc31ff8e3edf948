import { Agent } from 'node:http'
import { outcomeOf, type Received, type Send } from '../../client/attempt.ts'
import { callerHeaders, type Means } from '../../client/caller-headers.ts'
import { Connection } from '../../client/connection.ts'
import type { Performer } from '../../client/interface.ts'
import { callRemote, deadlineMsUsual } from '../../client/repeated-call.ts'
import type { FeedEvent } from '../../domain/log/event.ts'
import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import { InstallTokenFile } from '../../home/owner-token.ts'
import type { OpenedLog } from '../../open.ts'
import type { AnyAnswered, AnyOperation, AnyStream } from '../../operations/operation.ts'
import { isOfServer, sending } from '../cli/server/asking.ts'
import { serverFor } from '../cli/server/found.ts'

export interface Here {
  readonly home: string | undefined
  readonly store: string | undefined
  /** Who asks, and what is meant when a call does not say. */
  readonly meant: Omit<Means, 'token'>
  /** Where it is given, whoever holds it reaches no further than it does: the store itself is not touched. */
  readonly token: string | undefined
  /** The server that the token is for; the one that runs here unless given. */
  readonly url: string | undefined
}

interface Server {
  readonly url: string
  readonly token: string
}

/**
 * Asks the server that has the store open, if one runs, and else the store itself. That is decided anew at each try, so that a
 * server that starts or stops meanwhile is used or left, and a change that was cut off is repeated under its own name.
 */
export class PerformerHere implements Performer {
  readonly #here: Here
  readonly #agent = new Agent({ keepAlive: true })
  #opened: Promise<OpenedLog> | undefined
  #connected: { readonly url: string; readonly connection: Connection } | undefined

  constructor(here: Here) {
    this.#here = here
  }

  async execute(operation: AnyAnswered, input: unknown, cancelled?: AbortSignal): Promise<Answer> {
    // What changes something is not left in doubt.
    const signal = operation.kind === 'wait' ? cancelled : undefined
    const { token } = this.#here
    if (token !== undefined) return this.#bound(token, operation).execute(operation, input as object, signal)
    const found = this.#server(operation)
    if (found === undefined) return this.#ask(operation, input, signal)
    return callRemote(this.#sending(operation, found), operation, { ...(input as object) }, deadlineMsUsual, signal)
  }

  async *stream(
    operation: AnyStream,
    input: unknown,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FeedEvent, void> {
    const { token, meant } = this.#here
    const server = token === undefined ? this.#server(operation) : undefined
    if (token === undefined && server === undefined) {
      const { log, caller } = await this.#openedLog()
      yield* log.stream(operation, input, caller, signal)
      return
    }
    const { name, kind } = operation
    const { stream = '' } = operation.select(input)
    const connection = server ? new Connection({ ...server, ...meant }) : this.#bound(String(token), operation)
    yield* connection.stream({ name, kind, stream }, input as object, signal)
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    const opened = await this.#opened?.catch(() => undefined)
    await opened?.log.close()
  }

  /** The server for whoever reaches no further than a token does. */
  #bound(token: string, operation: AnyOperation): Connection {
    const url = this.#here.url ?? serverFor(this.#here, operation)?.url
    if (url === undefined) throw new CairnRefusal(noServer())
    if (this.#connected?.url !== url) {
      this.#connected = { url, connection: new Connection({ url, token, ...this.#here.meant }) }
    }
    return this.#connected.connection
  }

  #server(operation: AnyOperation): Server | undefined {
    const found = serverFor(this.#here, operation)
    return found && { url: found.url, token: new InstallTokenFile(found.home).text() }
  }

  #sending(operation: AnyAnswered, found: Server): Send {
    let first: Server | undefined = found
    return async (name, body, limit) => {
      const server = first ?? this.#server(operation)
      // A repeat looks anew: the server may have been lost, or another have come.
      first = undefined
      if (server !== undefined) {
        const headers = callerHeaders({ ...this.#here.meant, token: server.token })
        const received = await sending(server.url, headers, this.#agent)(name, body, limit)
        if (!isOfServer(outcomeOf(received))) return received
      }
      return asReceived(this.#ask(operation, JSON.parse(body), limit))
    }
  }

  async #ask(operation: AnyAnswered, input: unknown, signal: AbortSignal | undefined): Promise<Answer> {
    const { log, caller } = await this.#openedLog()
    return log.execute(operation, input, caller, signal)
  }

  /** Loaded and opened when it is first needed: most who are served by a server never need it. */
  async #openedLog(): Promise<OpenedLog> {
    const opening = async () => {
      const { openLog } = await import('../../open.ts')
      const { home, store, meant } = this.#here
      return openLog({ home, store, ...given(meant), waits: 'yielding' })
    }
    this.#opened ??= opening().catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

function given<Value extends object>(value: Value): { [Name in keyof Value]: Exclude<Value[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never
}

function noServer(): Refusal {
  const hint = 'Start one with cairn up, or name one with CAIRN_URL; a token reaches no store by itself.'
  return refuse('unavailable', 'No server runs here that CAIRN_TOKEN could be for.', hint)
}

/** What the store answered, as a server would have sent it. */
async function asReceived(asking: Promise<Answer>): Promise<Received> {
  try {
    return { status: 200, text: JSON.stringify(await asking) }
  } catch (error) {
    if (!(error instanceof CairnRefusal)) throw error
    return { status: 409, text: JSON.stringify(error.refusal) }
  }
}
