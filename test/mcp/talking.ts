// A conversation with a store in this process: the protocol without anything that carries it.
import { sleep } from '../../src/clock.ts'
import type { Caller } from '../../src/log/access/caller.ts'
import { Conversation } from '../../src/surfaces/mcp/conversation.ts'
import type { Asker } from '../../src/surfaces/mcp/method-call.ts'
import { parse } from '../../src/surfaces/mcp/protocol/json-rpc.ts'
import { tools } from '../../src/surfaces/mcp/tools/index.ts'
import type { Profile } from '../../src/surfaces/mcp/tools/profile.ts'
import type { Document } from '../cli/sandbox.ts'
import type { TestStore } from '../setup/stores.ts'
import { type Called, called } from './peer.ts'

export interface Talk {
  /** All that was told without being asked for. */
  readonly heard: Document[]
  /** The reply to a request; undefined where it was cancelled. */
  ask(method: string, params?: object, id?: string | number): Promise<Document>
  tell(method: string, params: object): Promise<void>
  call(name: string, given?: object, meta?: object): Promise<Called>
  /** How many events of what it follows it has taken in, told of or not. */
  taken(): number
  close(): void
}

interface Options {
  readonly caller?: Partial<Caller>
  readonly profile?: Profile
  readonly revision?: string
  /** How long a feed takes to begin. */
  readonly feedDelayMs?: number
}

export async function talkWith(store: TestStore, session: string | undefined, options: Options = {}): Promise<Talk> {
  const { log } = await store.openLog()
  const caller: Caller = { principal: 'owner', actor: 'test', scope: 'owner', session, ...options.caller }
  const heard: Document[] = []
  let taken = 0
  const never = new AbortController().signal
  const report = (error: unknown) => {
    throw error
  }
  const offer = {
    tools: tools[options.profile ?? 'agent'],
    version: '0.0.0-test',
    report,
    subscriptionsMax: log.limits.subscriptions,
  }
  const conversation = new Conversation(offer, (message) => heard.push(message))
  const asker: Asker = {
    performer: {
      execute: (operation, input, signal) => log.execute(operation, input, caller, signal),
      async *stream(operation, input, signal) {
        await sleep(options.feedDelayMs ?? 0)
        for await (const event of log.stream(operation, input, caller, signal)) {
          yield event
          taken += 1
        }
      },
    },
    notify: (message) => heard.push(message),
    gone: never,
    stopping: never,
  }
  const hear = (message: object) => {
    const parsed = parse(JSON.stringify({ jsonrpc: '2.0', ...message }))
    if (!('one' in parsed)) throw new Error('one message at a time')
    return conversation.hear(parsed.one, asker)
  }
  let asked = 0
  const talk: Talk = {
    heard,
    ask: (method, params = {}, id = `own-${++asked}`) => hear({ id, method, params }),
    async tell(method, params) {
      await hear({ method, params })
    },
    async call(name, given = {}, meta) {
      const params = { name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }) }
      return called(await talk.ask('tools/call', params))
    },
    taken: () => taken,
    close: () => conversation.close(),
  }
  if (options.revision !== undefined) await talk.ask('initialize', { protocolVersion: options.revision })
  return talk
}

/** The scope of an agent's token. */
export async function agentOf(store: TestStore, session: string): Promise<Partial<Caller>> {
  const { log, caller } = await store.openLog()
  const { root, rootId, no } = await log.head(session, caller)
  return { principal: session, actor: 'agent', scope: { root, rootId, no }, session }
}
