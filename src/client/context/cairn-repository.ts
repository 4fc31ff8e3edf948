import { putBack } from '../../domain/conversations/forms/large-content.ts'
import type { SecretValue } from '../../domain/conversations/secret-values.ts'
import type { BlobPlace, Stored } from '../../domain/conversations/stored.ts'
import { CairnRefusal } from '../../domain/log/refusal.ts'
import type { JsonObject } from '../../json/value.ts'
import type { Cairn } from '../interface.ts'
import { eventOf, messageOf, type RawEvent } from './event-content.ts'
import { refuseBadCut, refuseSame } from './event-order.ts'
import { outgoingMessage } from './outgoing-message.ts'
import type {
  AgentInstance,
  AppendedEvent,
  AppendOptions,
  ContextEvent,
  ContextEventType,
  ContextRepository,
} from './repository.ts'
import type { WriterLease } from './writer-lease.ts'

/** What of a store or a server is needed. */
export type ContextStore = Pick<Cairn, 'session' | 'context' | 'blob' | 'lease'>

export interface CairnRepositoryOptions {
  /** Values that are replaced before anything is sent: `secretsOf(process.env)`. */
  readonly secrets?: readonly SecretValue[]
  /** Held by the one writer of a conversation: what goes into that is refused once it was lost. */
  readonly lease?: WriterLease | undefined
}

interface RawConversation {
  readonly messages: readonly RawEvent[]
  readonly last_sequence: number
  readonly blobs?: readonly (BlobPlace & { sequence_number: number })[]
}

/** Conversations in a store or on a server: each is that of a session. */
export class CairnContextRepository implements ContextRepository {
  readonly #cairn: ContextStore
  readonly #secrets: readonly SecretValue[]
  readonly #lease: WriterLease | undefined

  constructor(cairn: ContextStore, { secrets = [], lease }: CairnRepositoryOptions = {}) {
    this.#cairn = cairn
    this.#secrets = secrets
    this.#lease = lease
  }

  async createInstance(sessionId: string, agentName: string, parentId = sessionId): Promise<AgentInstance> {
    const asked = { parent: parentId, topic: agentName, metadata: { agent_name: agentName } }
    const { session_id } = await this.#cairn.session.create(asked)
    return (await this.getInstance(session_id)) as AgentInstance
  }

  async getInstance(instanceId: string): Promise<AgentInstance | undefined> {
    const shown = await this.#cairn.session.show({ session: instanceId }).catch(absent)
    if (shown === undefined) return undefined
    const { session_id: id, root_session_id, session_name, parent_session_id, metadata, created_at } = shown
    const named = (metadata as JsonObject | null)?.agent_name
    return {
      id,
      sessionId: root_session_id,
      agentName: typeof named === 'string' ? named : session_name,
      parentInstanceId: parent_session_id,
      createdAt: created_at,
    }
  }

  async appendEvent(
    instanceId: string,
    eventType: ContextEventType,
    content: JsonObject,
    toolCallId?: string,
    { id }: AppendOptions = {},
  ): Promise<AppendedEvent> {
    if (eventType === 'tool_call') return this.#appendCall(instanceId, content)
    const whole = messageOf(eventType, content, toolCallId)
    const { message, blobs } = await outgoingMessage(whole, {
      secrets: this.#secrets,
      upload: (bytes) => this.#cairn.blob.put({ session: instanceId, content: bytes }),
    })
    const answer = await this.#cairn.context.append({
      session: instanceId,
      message,
      ...(id !== undefined && { id }),
      ...(blobs && { blobs: blobs as never }),
      ...this.#fenceOf(instanceId),
    })
    const call = toolCallId === undefined ? {} : { toolCallId }
    return { sequenceNumber: answer.sequence_number, eventType, content: message, ...call }
  }

  /** A call stands in the message of its assistant: one that is there already is that. */
  async #appendCall(instanceId: string, content: JsonObject): Promise<ContextEvent> {
    const known = (await this.getEvents(instanceId)).find(
      ({ eventType, toolCallId }) => eventType === 'tool_call' && toolCallId === content.id,
    )
    if (known !== undefined) return known
    await this.appendEvent(instanceId, 'assistant_message', messageOf('tool_call', content, undefined))
    return (await this.getEvents(instanceId)).at(-1) as ContextEvent
  }

  async getEvents(instanceId: string, fromSequence = 0, upToSequence?: number): Promise<ContextEvent[]> {
    const point = upToSequence === undefined ? {} : { point: upToSequence }
    if (fromSequence <= 1) return this.#eventsOf(instanceId, point)
    const events = await this.#eventsOf(instanceId, { ...point, since: fromSequence - 1 })
    // The arguments of a call stand in its message, which came before.
    if (events[0]?.eventType !== 'tool_call') return events
    const all = await this.#eventsOf(instanceId, point)
    return all.filter(({ sequenceNumber }) => sequenceNumber >= fromSequence)
  }

  async #eventsOf(instanceId: string, asked: { since?: number; point?: number }): Promise<ContextEvent[]> {
    const shown = await this.#show(instanceId, asked)
    const messages = await this.#whole(instanceId, shown)
    const stored = new Map<number, Stored>()
    return shown.messages.flatMap((event) => eventOf(event, messages, stored))
  }

  async getLastSequence(instanceId: string): Promise<number> {
    return (await this.#show(instanceId, { since: Number.MAX_SAFE_INTEGER })).last_sequence
  }

  async deleteEventsAfter(instanceId: string, sequenceNumber: number): Promise<number> {
    const asked = { session: instanceId, from_point: sequenceNumber, ...this.#fenceOf(instanceId) }
    return (await this.#cairn.context.overwrite(asked)).hidden
  }

  async copyEvents(sourceInstanceId: string, targetInstanceId: string, upToSequence?: number): Promise<number> {
    refuseSame(sourceInstanceId, targetInstanceId)
    const events = await this.getEvents(sourceInstanceId)
    refuseBadCut(events, upToSequence)
    const copied = events.filter(({ sequenceNumber }) => sequenceNumber <= (upToSequence ?? sequenceNumber))
    for (const { eventType, content, toolCallId } of copied) {
      if (eventType === 'tool_call') continue
      await this.appendEvent(targetInstanceId, eventType, content, toolCallId)
    }
    return copied.length
  }

  #fenceOf(instanceId: string): { fence?: string } {
    return this.#lease?.instanceId === instanceId ? { fence: this.#lease.fence } : {}
  }

  async #show(session: string, asked: { since?: number; point?: number }): Promise<RawConversation> {
    const answer: unknown = await this.#cairn.context.show({ session, format: 'raw', ...asked })
    return answer as RawConversation
  }

  /** The messages that the answer left content out of, with that. */
  async #whole(session: string, { messages, blobs = [] }: RawConversation): Promise<Map<number, JsonObject>> {
    const contents = new Map<string, Uint8Array>()
    for (const { hash } of blobs) {
      if (contents.has(hash)) continue
      const { content, bytes } = await this.#cairn.blob.get({ session, hash })
      contents.set(hash, await allOf(content, bytes))
    }
    const whole = new Map<number, JsonObject>()
    for (const number of new Set(blobs.map((each) => each.sequence_number))) {
      const message = messages.find((each) => each.sequence_number === number)?.data?.message ?? {}
      const places = blobs.filter((each) => each.sequence_number === number)
      whole.set(number, putBack(message, places, (hash) => contents.get(hash)).message)
    }
    return whole
  }
}

async function allOf(content: ReadableStream<Uint8Array>, bytes: number): Promise<Uint8Array> {
  const whole = new Uint8Array(bytes)
  let at = 0
  const reader = content.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    whole.set(read.value, at)
    at += read.value.length
  }
  return whole
}

function absent(error: unknown): undefined {
  if (error instanceof CairnRefusal && error.code === 'session_not_found') return undefined
  throw error
}
