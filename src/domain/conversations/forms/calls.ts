import { type Path, refuseAt } from '../../../json/refusals.ts'
import type { Json, JsonObject } from '../../../json/value.ts'
import { Refusal } from '../../log/refusal.ts'
import type { CallPlace, Form, Stored } from '../stored.ts'
import { holdsItems } from './detect.ts'
import { blocksOf, isObject, textAt, typeOf } from './members.ts'

/** What looks like a call in a message, whether or not it has all that a call needs. */
interface Candidate {
  readonly at: number
  readonly id: Json | undefined
  readonly name: Json | undefined
  readonly path: Path
  /** What the form calls the id. */
  readonly idName: string
}

/** The calls of an assistant's message. */
export function callsOf({ type, form, message }: Pick<Stored, 'type' | 'form' | 'message'>): CallPlace[] {
  if (type !== 'assistant_message') return []
  return candidates(form, message).flatMap(({ at, id, name }) =>
    typeof id === 'string' && typeof name === 'string' ? [{ id, name, at }] : [],
  )
}

/** The same, of a message that is read: each call must have an id of its own and a name. */
export function checkedCalls(form: Form | undefined, message: JsonObject): CallPlace[] | Refusal {
  const calls: CallPlace[] = []
  for (const { at, id, name, path, idName } of candidates(form, message)) {
    if (typeof id !== 'string' || id === '')
      return refuseAt('invalid_input', path, 'is a tool call without an id', `Give its ${idName} as a text.`)
    if (typeof name !== 'string' || name === '')
      return refuseAt('invalid_input', path, 'is a tool call without a name', 'Give the name of the tool as a text.')
    if (calls.some((each) => each.id === id))
      return refuseAt('invalid_input', path, 'has the id of another call', 'Give each tool call an id of its own.')
    calls.push({ id, name, at })
  }
  return calls
}

function candidates(form: Form | undefined, message: JsonObject): Candidate[] {
  if (form === 'openai') return listed(message.tool_calls).map(ofOpenai)
  const blocks = listed(message.content)
  if (form === 'anthropic') return blocks.flatMap(ofAnthropic)
  return form === 'responses' && holdsItems(message.content) ? blocks.flatMap(ofResponses) : []
}

function listed(content: Json | undefined): Json[] {
  return Array.isArray(content) ? content : []
}

function ofOpenai(call: Json, at: number): Candidate {
  const { id, function: called, custom } = isObject(call) ? call : {}
  const name = textAt(called, 'name') ?? textAt(custom, 'name')
  return { at, id, name, path: ['tool_calls', at], idName: 'id' }
}

function ofAnthropic(block: Json, at: number): Candidate[] {
  if (!isObject(block) || block.type !== 'tool_use') return []
  return [{ at, id: block.id, name: block.name, path: ['content', at], idName: 'id' }]
}

/** Calls that the provider runs itself (a web search) have no `call_id`: nobody owes them a result. */
function ofResponses(item: Json, at: number): Candidate[] {
  if (!isObject(item)) return []
  const type = typeOf(item)
  const place = { at, id: item.call_id, path: ['content', at], idName: 'call_id' }
  if (type === 'function_call' || type === 'custom_tool_call') return [{ ...place, name: item.name }]
  if (!type.endsWith('_call') || typeof item.call_id !== 'string') return []
  return [{ ...place, name: type.slice(0, -'_call'.length) }]
}

/** Whether a block of a message in the form of Anthropic is the result of a call. */
export function isResult(block: JsonObject): boolean {
  return block.type === 'tool_result'
}

/** Whether an item of Responses is the result of a call. */
export function isOutput(item: JsonObject): boolean {
  return typeOf(item).endsWith('_call_output')
}

/** OpenAI's entry of a call, where it was given as an id, a name and arguments only. */
export function openaiCall(call: Json): Json {
  if (!isObject(call) || isObject(call.function) || isObject(call.custom) || typeof call.name !== 'string') return call
  const given = call.arguments ?? {}
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return { id: call.id ?? null, type: 'function', function: { name: call.name, arguments: text } }
}

/** The texts of a message's blocks, or of its text. */
export function hasContent(content: Json | undefined): boolean {
  return typeof content === 'string' ? content !== '' : blocksOf(content).length > 0
}

export function isRefusal<T>(value: T | Refusal): value is Refusal {
  return value instanceof Refusal
}
