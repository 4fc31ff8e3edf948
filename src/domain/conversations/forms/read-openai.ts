import { refuseAt } from '../../../json/refusals.ts'
import type { JsonObject } from '../../../json/value.ts'
import type { Refusal } from '../../log/refusal.ts'
import type { MessageType } from '../stored.ts'
import { checkedCalls, hasContent, isRefusal, openaiCall } from './calls.ts'
import type { Read } from './read.ts'
import { refuseEmpty, refuseNameless } from './read-refusals.ts'

/** What an assistant may say without a content. */
const saidElsewhere = ['refusal', 'audio', 'function_call']

/** A message of Chat Completions is stored as it is. */
export function readOpenai(type: MessageType, given: JsonObject): Read[] | Refusal {
  if (type === 'tool_result') return readTool(given)
  const message = Array.isArray(given.tool_calls) ? { ...given, tool_calls: given.tool_calls.map(openaiCall) } : given
  const calls = type === 'assistant_message' ? checkedCalls('openai', message) : []
  if (isRefusal(calls)) return calls
  const isSaid = type === 'assistant_message' && saidElsewhere.some((name) => (given[name] ?? null) !== null)
  if (calls.length === 0 && !isSaid && !hasContent(given.content)) return refuseEmpty()
  return [{ type, form: 'openai', message, calls }]
}

function readTool(message: JsonObject): Read[] | Refusal {
  const call = message.tool_call_id
  if (typeof call !== 'string' || call === '') return refuseNameless(['tool_call_id'])
  if ((message.content ?? null) === null)
    return refuseAt('invalid_input', ['content'], 'is missing', 'Give what the tool answered; it may be an empty text.')
  return [{ type: 'tool_result', form: 'openai', message, call, calls: [] }]
}
