import { type Path, refuseAt } from '../../../json/refusals.ts'
import type { Json, JsonObject } from '../../../json/value.ts'
import type { Refusal } from '../../log/refusal.ts'
import { type CallPlace, type Form, forms, type MessageType, type Stored } from '../stored.ts'
import { detect, isItem } from './detect.ts'
import { isObject } from './members.ts'
import { readAnthropic } from './read-anthropic.ts'
import { readOpenai } from './read-openai.ts'
import { refuseEmpty } from './read-refusals.ts'
import { readItems, readResponses } from './read-responses.ts'

/** A message as a caller gives it: a role and a content, or a provider's message as it is, or an item of Responses. */
export type Given = { readonly [member: string]: Json | undefined }

/** What a message is stored as, with the calls it makes. */
export type Read = Stored & { readonly calls: readonly CallPlace[] }

const typeOfRole: Readonly<Record<string, MessageType>> = {
  system: 'system_message',
  developer: 'system_message',
  user: 'user_message',
  assistant: 'assistant_message',
  tool: 'tool_result',
}

const readers = { anthropic: readAnthropic, openai: readOpenai, responses: readResponses }

/** What a message is stored as: one, or several where the provider's message holds several results. */
export function readMessage(given: Given): Read[] | Refusal {
  const { form: asked, ...members } = given
  const message: JsonObject = {}
  for (const [name, value] of Object.entries(members)) if (value !== undefined) message[name] = value
  if (asked !== undefined && !isForm(asked))
    return wrongAt(['form'], 'is not a form', `Use one of ${forms.join(', ')}.`)
  const { role } = message
  // An item of Responses that is no message has no role.
  if (role === undefined && isItem(message) && (asked ?? 'responses') === 'responses') return readItems([message], [])
  const type = typeof role === 'string' && Object.hasOwn(typeOfRole, role) ? typeOfRole[role] : undefined
  if (type === undefined) {
    const what = role === undefined ? 'is missing' : 'is not a role'
    return wrongAt(['role'], what, 'Use system, user, assistant or tool.')
  }
  return refuseContent(message.content) ?? refuseCalls(message) ?? readAs(type, message, asked)
}

function readAs(type: MessageType, message: JsonObject, asked: Form | undefined): Read[] | Refusal {
  // A role and a text are the same in every form, and stay free of any; only a result is written differently in each.
  const detected = detect(message)
  const form = detected === undefined ? undefined : (asked ?? detected)
  if (form !== 'openai' && Array.isArray(message.tool_calls) && message.tool_calls.length > 0)
    return wrongAt(
      ['tool_calls'],
      `does not exist in the form ${form}`,
      'Give the calls as blocks, or use form openai.',
    )
  if (form !== undefined) return readers[form](type, message)
  if (message.content === '' || message.content === undefined || message.content === null) return refuseEmpty()
  return [{ type, message, calls: [] }]
}

function isForm(value: Json): value is Form {
  return forms.some((form) => form === value)
}

function refuseContent(content: Json | undefined): Refusal | undefined {
  const hint = "Give a text, or a list of the provider's blocks."
  if (content === undefined || content === null || typeof content === 'string') return undefined
  if (!Array.isArray(content)) return wrongAt(['content'], 'is neither a text nor a list of blocks', hint)
  const wrong = content.findIndex((block) => !isObject(block))
  return wrong < 0 ? undefined : wrongAt(['content', wrong], 'is not a block', hint)
}

function refuseCalls({ role, tool_calls: calls }: JsonObject): Refusal | undefined {
  if (calls === undefined || calls === null) return undefined
  if (!Array.isArray(calls)) return wrongAt(['tool_calls'], 'is not a list', 'Give a list of tool calls.')
  if (calls.length === 0 || role === 'assistant') return undefined
  return wrongAt(['tool_calls'], `stands in a message of the role ${String(role)}`, 'Only the assistant calls tools.')
}

function wrongAt(path: Path, what: string, hint: string): Refusal {
  return refuseAt('invalid_input', path, what, hint)
}
