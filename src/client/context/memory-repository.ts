import { readMessage } from '../../domain/conversations/forms/read.ts'
import { CairnRefusal, Refusal, refuse } from '../../domain/log/refusal.ts'
import { type Json, type JsonObject, sameJson } from '../../json/value.ts'
import { newRequestId, timeText } from '../../web-clock.ts'
import { messageOf } from './event-content.ts'
import { refuseBadCut, refuseSame } from './event-order.ts'
import type {
  AgentInstance,
  AppendedEvent,
  AppendOptions,
  ContextEvent,
  ContextEventType,
  ContextRepository,
} from './repository.ts'

interface Kept {
  readonly instance: AgentInstance
  /** What was not taken back. */
  events: ContextEvent[]
  last: number
  /** What was recorded under the ids of providers. */
  readonly ids: Map<string, { sequenceNumber: number; message: JsonObject }>
}

/** Conversations in memory, for agents that keep nothing: gone when the process is. */
export class MemoryContextRepository implements ContextRepository {
  readonly #kept = new Map<string, Kept>()

  async createInstance(sessionId: string, agentName: string, parentId = sessionId): Promise<AgentInstance> {
    const id = `sess_${newRequestId()}`
    const instance = { id, sessionId, agentName, parentInstanceId: parentId, createdAt: timeText() }
    this.#kept.set(id, { instance, events: [], last: 0, ids: new Map() })
    return instance
  }

  async getInstance(instanceId: string): Promise<AgentInstance | undefined> {
    return this.#kept.get(instanceId)?.instance
  }

  async appendEvent(
    instanceId: string,
    eventType: ContextEventType,
    content: JsonObject,
    toolCallId?: string,
    { id }: AppendOptions = {},
  ): Promise<AppendedEvent> {
    const kept = this.#keptOf(instanceId)
    const known = kept.events.find((each) => each.eventType === 'tool_call' && each.toolCallId === content.id)
    if (eventType === 'tool_call' && known !== undefined) return known
    const message = messageOf(eventType, content, toolCallId)
    const before = id === undefined ? undefined : kept.ids.get(id)
    if (before !== undefined && !sameJson(before.message, message)) throw usedTwice(id as string)
    const sequenceNumber = before?.sequenceNumber ?? record(kept, message)
    if (id !== undefined) kept.ids.set(id, { sequenceNumber, message })
    return { sequenceNumber, eventType, content: message, ...(toolCallId !== undefined && { toolCallId }) }
  }

  async getEvents(instanceId: string, fromSequence = 0, upToSequence?: number): Promise<ContextEvent[]> {
    return this.#keptOf(instanceId).events.filter(
      ({ sequenceNumber: number }) => number >= fromSequence && number <= (upToSequence ?? number),
    )
  }

  async getLastSequence(instanceId: string): Promise<number> {
    return this.#keptOf(instanceId).last
  }

  async deleteEventsAfter(instanceId: string, sequenceNumber: number): Promise<number> {
    const kept = this.#keptOf(instanceId)
    refuseBadCut(kept.events, sequenceNumber)
    const stay = kept.events.filter((event) => event.sequenceNumber <= sequenceNumber)
    const gone = kept.events.length - stay.length
    // As in a store, taking back has a number of its own.
    if (gone > 0) kept.last++
    kept.events = stay
    return gone
  }

  async copyEvents(sourceInstanceId: string, targetInstanceId: string, upToSequence?: number): Promise<number> {
    refuseSame(sourceInstanceId, targetInstanceId)
    const { events } = this.#keptOf(sourceInstanceId)
    refuseBadCut(events, upToSequence)
    const copied = events.filter(({ sequenceNumber }) => sequenceNumber <= (upToSequence ?? sequenceNumber))
    for (const { eventType, content, toolCallId } of copied) {
      if (eventType !== 'tool_call') await this.appendEvent(targetInstanceId, eventType, content, toolCallId)
    }
    return copied.length
  }

  #keptOf(instanceId: string): Kept {
    const kept = this.#kept.get(instanceId)
    if (kept !== undefined) return kept
    const hint = 'Make it with createInstance; what is in memory is gone when its process is.'
    throw new CairnRefusal(refuse('session_not_found', `There is no instance ${instanceId} in memory.`, hint))
  }
}

/** Records a message and the calls in it; gives the last number. */
function record(kept: Kept, message: JsonObject): number {
  const pieces = readMessage(message)
  if (pieces instanceof Refusal) throw new CairnRefusal(pieces)
  const added: ContextEvent[] = []
  const add = (event: Omit<ContextEvent, 'sequenceNumber' | 'createdAt'>) =>
    added.push({ ...event, sequenceNumber: kept.last + added.length + 1, createdAt: timeText() })
  for (const { type, form, message: content, call, joined, calls } of pieces) {
    if (call !== undefined) checkResult([...kept.events, ...added], call)
    const marks = { ...(form && { form }), ...(joined && { joined }), ...(call !== undefined && { toolCallId: call }) }
    add({ eventType: type, content, ...marks })
    for (const { id, name, at } of calls) {
      checkCall([...kept.events, ...added], id)
      const given = argumentsAt(content, at)
      add({ eventType: 'tool_call', toolCallId: id, content: { id, name, arguments: given } })
    }
  }
  kept.events = [...kept.events, ...added]
  kept.last += added.length
  return kept.last
}

function has(events: readonly ContextEvent[], type: ContextEventType, call: string): boolean {
  return events.some(({ eventType, toolCallId }) => eventType === type && toolCallId === call)
}

function checkCall(events: readonly ContextEvent[], call: string): void {
  if (!has(events, 'tool_call', call)) return
  const message = `A tool call ${JSON.stringify(call)} was already recorded in this conversation.`
  throw new CairnRefusal(refuse('already_exists', message, 'Give each call an id of its own.'))
}

function checkResult(events: readonly ContextEvent[], call: string): void {
  if (!has(events, 'tool_call', call)) {
    const message = `There is no tool call ${JSON.stringify(call)} in this conversation.`
    throw new CairnRefusal(refuse('invalid_input', message, 'Append the assistant message with the call first.'))
  }
  if (!has(events, 'tool_result', call)) return
  const message = `The tool call ${JSON.stringify(call)} already has a result.`
  throw new CairnRefusal(refuse('already_exists', message, 'A call has one result.'))
}

function usedTwice(id: string): CairnRefusal {
  const message = `Message ${JSON.stringify(id)} was recorded with other content.`
  const hint = 'An id is used once: give a new message an id of its own.'
  return new CairnRefusal(refuse('idempotency_mismatch', message, hint))
}

function argumentsAt(content: JsonObject, at: number): Json {
  const list = (content.tool_calls ?? content.content) as JsonObject[]
  const entry = list[at] ?? {}
  const called = (entry.function ?? entry) as JsonObject
  const given = called.arguments ?? called.input ?? {}
  return typeof given === 'string' ? given : JSON.stringify(given)
}
