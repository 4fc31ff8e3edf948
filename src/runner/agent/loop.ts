import type { ContextService } from '../../client/context/conversation.ts'
import type { ContextEvent } from '../../client/context/repository.ts'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import type { JsonObject } from '../../json/value.ts'
import { newRequestId } from '../../web-clock.ts'
import type { Provider, ToolCalled, ToolOffered, Turn, Usage } from '../model/turn.ts'
import { tailOf } from './open-calls.ts'

/** Whoever performs the calls of a model. */
export interface Tools {
  readonly offered: readonly ToolOffered[]
  isRepeatable(name: string): boolean
  call(called: ToolCalled, conversation: Pick<ContextService, 'instanceId' | 'fence'>): Promise<string>
}

/** What is shown, and where figures go, while an agent works. */
export interface Watcher {
  onText(text: string): void
  onTurn(usage: Usage): Promise<void>
  onCall(called: ToolCalled): void
  onResult(called: ToolCalled, result: string): void
  onNote(note: string): void
}

export interface LoopOptions {
  readonly context: ContextService
  readonly provider: Provider
  readonly tools: Tools
  readonly watcher: Watcher
  readonly signal: AbortSignal
  readonly maxTurns: number
  readonly prompt?: string | undefined
  /** Whether calls that were cut off are made again where that is without harm. */
  readonly repeatsCalls: boolean
}

export interface LoopOutcome {
  /** The last answer. */
  readonly text: string
  readonly turns: number
  /** As the provider says, or `max_turns`. */
  readonly stopReason: string
}

/**
 * Asks the model and performs its calls until it asks for nothing more. Every step is recorded before the next begins, so that
 * whoever comes after a process that was killed goes on from there.
 */
export async function runLoop(options: LoopOptions): Promise<LoopOutcome> {
  const { context, maxTurns, prompt, signal } = options
  await settle(options)
  if (prompt !== undefined) await context.appendMessage('user', prompt)
  let last = await answeredBefore(context)
  refuseNothing(await context.getEvents())
  for (let turns = 0; ; turns++) {
    signal.throwIfAborted()
    if (last !== undefined && last.calls.length === 0) return { text: last.text, turns, stopReason: last.stopReason }
    if (turns >= maxTurns) return { text: last?.text ?? '', turns, stopReason: 'max_turns' }
    last = await takeTurn(options)
  }
}

/** A process may have been killed before it recorded what it was asked. */
function refuseNothing(events: readonly ContextEvent[]): void {
  if (events.some(({ eventType }) => eventType !== 'system_message')) return
  throw new CairnRefusal(refuse('invalid_input', 'The conversation has no message to answer.', 'Give a prompt.'))
}

/** Calls that were cut off are made again if that is without harm; others stay open, which a model is told. */
async function settle(options: LoopOptions): Promise<void> {
  const { context, tools, watcher, repeatsCalls } = options
  const { open } = tailOf(await context.getEvents())
  for (const call of open) {
    if (repeatsCalls && tools.isRepeatable(call.name)) await perform(options, call)
    else watcher.onNote(`the outcome of ${call.name} is unknown: it was interrupted, and is not repeated`)
  }
}

type Last = Pick<Turn, 'text' | 'calls' | 'stopReason'>

/** A conversation that ends with an answer needs none. */
async function answeredBefore(context: ContextService): Promise<Last | undefined> {
  const events = await context.getEvents()
  if (!tailOf(events).isAnswered) return undefined
  const answer = events.findLast(({ eventType }) => eventType === 'assistant_message')
  const { content } = answer?.content ?? {}
  const blocks = Array.isArray(content) ? (content as JsonObject[]) : [{ text: content ?? '' }]
  const text = blocks.map((block) => (typeof block.text === 'string' ? block.text : '')).join('')
  return { text, calls: [], stopReason: 'answered' }
}

async function takeTurn(options: LoopOptions): Promise<Last> {
  const { context, provider, tools, watcher, signal } = options
  const events = await context.getEvents()
  const { system, messages } = await context.getConversation({ format: provider.format })
  const onText = (text: string) => watcher.onText(text)
  const given = await provider.ask({ system, messages, tools: tools.offered, signal, onText })
  const turn = withOwnIds(given, tailOf(events).callIds)
  if (!isEmpty(turn)) await record(context, turn, events.at(-1)?.sequenceNumber ?? 0)
  await watcher.onTurn(turn.usage)
  for (const call of turn.calls) {
    signal.throwIfAborted()
    await perform(options, call)
  }
  return turn
}

async function perform({ context, tools, watcher }: LoopOptions, call: ToolCalled): Promise<void> {
  watcher.onCall(call)
  const result = await tools.call(call, context)
  await context.appendMessage('tool', result === '' ? '(no output)' : result, { toolCallId: call.id })
  watcher.onResult(call, result)
}

/** A model may have nothing to add. */
function isEmpty({ content, calls }: Turn): boolean {
  return calls.length === 0 && (content === null || (Array.isArray(content) && content.length === 0))
}

/** Endpoints that give every answer the same id are met too: such an id tells nothing. */
async function record(context: ContextService, { id, content, toolCalls }: Turn, after: number): Promise<void> {
  const calls = toolCalls === undefined ? {} : { toolCalls }
  try {
    const named = { ...calls, ...(id !== undefined && { id }) }
    const { sequenceNumber } = await context.appendMessage('assistant', content, named)
    if (sequenceNumber > after) return
  } catch (error) {
    const codes: readonly string[] = ['idempotency_mismatch', 'already_exists']
    if (!(error instanceof CairnRefusal) || !codes.includes(error.code)) throw error
  }
  await context.appendMessage('assistant', content, calls)
}

/** Calls whose ids are missing, or were used in this conversation before, get ids of their own. */
function withOwnIds(turn: Turn, known: ReadonlySet<string>): Turn {
  const taken = new Set(known)
  const ids = turn.calls.map(({ id }) => {
    const own = id === '' || taken.has(id) ? `${id === '' ? 'call' : id}_${newRequestId().slice(0, 12)}` : id
    taken.add(own)
    return own
  })
  if (turn.calls.every(({ id }, at) => id === ids[at])) return turn
  const calls = turn.calls.map((call, at) => ({ ...call, id: ids[at] as string }))
  if (turn.toolCalls !== undefined) {
    return { ...turn, calls, toolCalls: turn.toolCalls.map((call, at) => ({ ...call, id: ids[at] as string })) }
  }
  let next = 0
  const content = (turn.content as JsonObject[]).map((block) =>
    block.type === 'tool_use' ? { ...block, id: ids[next++] as string } : block,
  )
  return { ...turn, calls, content }
}
