import { quoted } from '../../../json/refusals.ts'
import type { Json, JsonObject } from '../../../json/value.ts'
import type { Form, Stored } from '../stored.ts'
import { isResult } from './calls.ts'
import { holdsItems } from './detect.ts'
import { blocksOf } from './members.ts'
import { type Normal, noteOthers } from './normal.ts'
import { inOrder, type Outgoing, unknownOutcome } from './outcomes.ts'
import { normalOf, textOf } from './text.ts'
import { toAnthropic } from './to-anthropic.ts'
import { toOpenai } from './to-openai.ts'
import { toResponses } from './to-responses.ts'

/** Something of a message that the form cannot hold. */
export interface LeftOut {
  readonly sequence_number: number
  readonly what: string
}

/** A conversation as a provider takes it. */
export interface Written {
  readonly messages: JsonObject[]
  /** Of Anthropic, which takes it beside the messages. */
  readonly system?: Json
  readonly left_out: LeftOut[]
}

/** What is written so far. */
interface Draft {
  readonly messages: JsonObject[]
  readonly systems: Json[]
  readonly leave: (what: readonly string[]) => void
}

/** The messages in a provider's form: exactly as they were given if they are in it, else as near as it can say them. */
export function writeMessages(stored: readonly Outgoing[], format: Form): Written {
  const left_out: LeftOut[] = []
  const { messages: ordered, repeated } = inOrder(wholeTurns(stored.map(asMessage)))
  const leave = (entry: Outgoing) => (what: readonly string[]) => {
    // That an outcome is unknown is said in the text, and so nothing is lost where a form has no mark for errors.
    if (entry.outcome !== undefined) return
    for (const each of what) left_out.push({ sequence_number: entry.version, what: each })
  }
  const draft: Draft = { messages: [], systems: [], leave: () => {} }
  const write = writers[format]()
  for (const entry of format === 'anthropic' ? ordered : resultsFirst(ordered)) {
    write(entry, { ...draft, leave: leave(entry) })
  }
  for (const { version, call } of repeated) {
    left_out.push({ sequence_number: version, what: `another result of the call ${quoted(call ?? '')}` })
  }
  left_out.sort((one, other) => one.sequence_number - other.sequence_number)
  return { messages: draft.messages, ...(format === 'anthropic' ? systemOf(draft.systems) : {}), left_out }
}

type Writer = (entry: Outgoing, draft: Draft) => void

const writers: Record<Form, () => Writer> = {
  anthropic: anthropicWriter,
  openai: openaiWriter,
  responses: responsesWriter,
}

/** Whether a message is in a form already: as it was given in it, or as both or all have it. */
function isIn(format: Form, { form, outcome, message }: Outgoing): boolean {
  if (outcome !== undefined) return false
  return form === undefined || form === format || (format !== 'responses' && form !== 'responses' && isText(message))
}

/** A role and blocks of text are the same in Anthropic's Messages and in Chat Completions. */
function isText({ role, content, ...others }: JsonObject): boolean {
  const isAlike = role !== undefined && role !== 'tool' && role !== 'developer' && Object.keys(others).length === 0
  const isBlock = ({ type, text, ...more }: JsonObject) =>
    type === 'text' && text !== '' && Object.keys(more).length === 0
  return isAlike && Array.isArray(content) && blocksOf(content).every(isBlock)
}

/** A turn of Responses that was given item by item is one message, as it was one answer: all its results stand behind all of it. */
function wholeTurns(stored: readonly Outgoing[]): Outgoing[] {
  const whole: Outgoing[] = []
  const isTurn = (entry: Outgoing | undefined) => entry?.type === 'assistant_message' && entry.form === 'responses'
  for (const entry of stored) {
    const last = whole.at(-1)
    if (last === undefined || !isTurn(last) || !isTurn(entry)) whole.push(entry)
    else
      whole.splice(-1, 1, { ...last, message: { role: 'assistant', content: [...itemsOf(last), ...itemsOf(entry)] } })
  }
  return whole
}

function asMessage(entry: Outgoing): Outgoing {
  if (!entry.summary) return entry
  const { form: _, joined: __, call: ___, ...others } = entry
  return { ...others, type: 'user_message', message: { role: 'user', content: textOf(entry) } }
}

function normalOfEntry(entry: Outgoing): Normal {
  if (entry.outcome === undefined) return normalOf(entry)
  const pieces = [{ kind: 'text', text: unknownOutcome } as const]
  return { role: 'tool', pieces, lost: [], call: entry.call ?? '', isError: true }
}

/** A form whose results are messages of their own wants them before what else the user said in the same message. */
function resultsFirst(entries: readonly Outgoing[]): Outgoing[] {
  const sorted: Outgoing[] = []
  const waiting: Outgoing[] = []
  for (const [at, entry] of entries.entries()) {
    const isRest = entry.joined || (entry.type === 'tool_result' && entries[at - 1]?.type === 'tool_result')
    if (!isRest) sorted.push(...waiting.splice(0))
    if (entry.type === 'user_message') waiting.push(entry)
    else sorted.push(entry)
  }
  return [...sorted, ...waiting]
}

function openaiWriter(): Writer {
  return (entry, { messages, leave }) => {
    if (isIn('openai', entry)) {
      messages.push(entry.message)
      return
    }
    const normal = normalOfEntry(entry)
    const { made, lost } = toOpenai(normal)
    leave([...normal.lost, ...lost])
    if (made !== undefined) messages.push(made)
  }
}

function responsesWriter(): Writer {
  const types = new Map<Json, string>()
  return (entry, { messages, leave }) => {
    const items: JsonObject[] = []
    if (isIn('responses', entry)) items.push(...itemsOf(entry))
    else {
      const normal = normalOfEntry(entry)
      const { made, lost } = toResponses(normal, `${types.get(entry.call ?? '') ?? 'function_call'}_output`)
      leave([...normal.lost, ...lost])
      items.push(...made)
    }
    for (const { type, call_id: call } of items) if (call !== undefined) types.set(call, String(type))
    messages.push(...items)
  }
}

function itemsOf({ type, form, message }: Stored): JsonObject[] {
  const isTurn = type === 'assistant_message' && form === 'responses' && holdsItems(message.content)
  return isTurn ? blocksOf(message.content) : [message]
}

function anthropicWriter(): Writer {
  let before: Outgoing | undefined
  return (entry, { messages, systems, leave }) => {
    const isSame = isIn('anthropic', entry)
    const normal = isSame ? undefined : normalOfEntry(entry)
    const { made, lost } = normal === undefined ? { made: entry.message, lost: [] } : toAnthropic(normal)
    leave([...(normal?.lost ?? []), ...lost])
    if (made === undefined) return
    if (entry.type === 'system_message') {
      const others: string[] = []
      if (isSame) noteOthers(made, ['role', 'content'], 'the system message', others)
      leave(others)
      systems.push(made.content ?? '')
      return
    }
    const follows = entry.type === 'tool_result' && before?.type === 'tool_result'
    const last = before !== undefined && (entry.joined || follows) ? messages.pop() : undefined
    messages.push(last === undefined ? alone(entry, made) : together(last, entry, made))
    before = entry
  }
}

/** A result is a block in a message of the user. */
function alone({ type }: Stored, made: JsonObject): JsonObject {
  return type === 'tool_result' ? { role: 'user', content: [made] } : made
}

function together(last: JsonObject, { type, form }: Stored, made: JsonObject): JsonObject {
  const blocks = type === 'tool_result' ? [made] : asBlocks(made.content ?? '')
  const content = [...asBlocks(last.content ?? ''), ...blocks]
  // What the provider's message said besides its blocks, and in which order, is in the part that is the user's own.
  const isFirst = type === 'user_message' && form === 'anthropic' && blocksOf(last.content).every(isResult)
  const shell = isFirst ? made : last
  return { ...shell, content }
}

function asBlocks(content: Json): Json[] {
  return Array.isArray(content) ? content : [{ type: 'text', text: content }]
}

function systemOf(systems: readonly Json[]): { system?: Json } {
  const [first] = systems
  if (first === undefined) return {}
  return { system: systems.length === 1 ? first : systems.flatMap(asBlocks) }
}
