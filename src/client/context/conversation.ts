import type { Form } from '../../domain/conversations/stored.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import { type ContextMessages, messagesOf } from './event-messages.ts'
import type { AppendedEvent, ContextEvent, ContextEventType, ContextRepository } from './repository.ts'

export type Role = 'system' | 'user' | 'assistant' | 'tool'

export interface MessageOptions {
  /** Of an assistant: the tools it calls, as OpenAI writes them or as `{id, name, arguments}`. Blocks may hold calls themselves. */
  readonly toolCalls?: readonly Json[]
  /** Of a tool: the call that this is the result of. */
  readonly toolCallId?: string
  /** The provider's id of the message: with the same id it is recorded once. */
  readonly id?: string
}

export interface ReadOptions {
  /** As of this number; all unless given. */
  readonly point?: number
  /** Whose form; that of the provider the messages came from unless given. */
  readonly format?: Form
}

const types: Readonly<Record<Role, ContextEventType>> = {
  system: 'system_message',
  user: 'user_message',
  assistant: 'assistant_message',
  tool: 'tool_result',
}

/** What makes somebody the one writer. */
export interface Held {
  readonly fence: string
  release(): Promise<void>
}

/** The conversation of one agent: each message is recorded as it is said, and the list of them is rebuilt from that. */
export class ContextService {
  readonly repository: ContextRepository
  readonly instanceId: string
  readonly #lease: Held | undefined

  /** `lease` is what the writer holds until it is closed. */
  constructor(repository: ContextRepository, instanceId: string, lease?: Held) {
    this.repository = repository
    this.instanceId = instanceId
    this.#lease = lease
  }

  /** What a change that this conversation asks for carries, so that it is refused once another writes; none in memory. */
  get fence(): string | undefined {
    return this.#lease?.fence
  }

  /** Answers when the message is recorded, with the last number that it took. */
  appendMessage(role: Role, content: Json, options: MessageOptions = {}): Promise<AppendedEvent> {
    const { toolCalls, toolCallId, id } = options
    const message = { role, content, ...(toolCalls !== undefined && { tool_calls: [...toolCalls] }) }
    return this.repository.appendEvent(this.instanceId, types[role], message, toolCallId, { id })
  }

  /** The messages to go on with; a system prompt that the form has beside them is the first. */
  async getMessages(options: ReadOptions = {}): Promise<JsonObject[]> {
    const { messages, system } = await this.getConversation(options)
    return system === undefined ? messages : [{ role: 'system', content: system }, ...messages]
  }

  /** The same as a provider takes it, with what the form cannot hold. */
  async getConversation({ point, format }: ReadOptions = {}): Promise<ContextMessages> {
    return messagesOf(await this.repository.getEvents(this.instanceId, 0, point), format)
  }

  getEvents(fromSequence = 0): Promise<ContextEvent[]> {
    return this.repository.getEvents(this.instanceId, fromSequence)
  }

  /** The messages from a number on. */
  async replayFromSequence(sequenceNumber: number): Promise<JsonObject[]> {
    return messagesOf(await this.getEvents(sequenceNumber), undefined).messages
  }

  getLastSequence(): Promise<number> {
    return this.repository.getLastSequence(this.instanceId)
  }

  /** Appends this conversation, up to a number, to that of another instance; says how many events that were. */
  copyToNewInstance(targetInstanceId: string, upToSequence?: number): Promise<number> {
    return this.repository.copyEvents(this.instanceId, targetInstanceId, upToSequence)
  }

  /** Goes on from a number: what came after it is taken back. Says how many events that were. */
  truncateAfterSequence(sequenceNumber: number): Promise<number> {
    return this.repository.deleteEventsAfter(this.instanceId, sequenceNumber)
  }

  /** Lets others write. */
  async close(): Promise<void> {
    await this.#lease?.release()
  }
}
