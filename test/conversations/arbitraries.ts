// Conversations as each provider has them: valid ones, with blocks and members in them that nobody knows.
import fc from 'fast-check'
import type { Form } from '../../src/domain/conversations/stored.ts'
import type { Json, JsonObject } from '../../src/json/value.ts'

/** What was planted in a conversation, each text once, so that it can be looked for in any form. */
export interface Planted {
  readonly given: JsonObject[]
  readonly texts: string[]
  readonly calls: { id: string; result: string | undefined }[]
}

/** Each text and id is another one; the same ones for the same seed. */
class Names {
  #next = 0
  readonly texts: string[] = []

  text(words: string): string {
    this.texts.push(`t${this.#next}‹${words}›`)
    return `t${this.#next++}‹${words}›`
  }

  id(): string {
    return `call_${this.#next++}`
  }
}

/** What a turn is like, in no form. */
interface Turn {
  readonly user: Block[]
  readonly said: Block[]
  readonly calls: { words: string; result: Block[]; isAnswered: boolean; isError: boolean }[]
  readonly isTextFirst: boolean
}
interface Block {
  readonly kind: 'text' | 'image' | 'unknown' | 'thinking'
  readonly words: string
  readonly isMarked: boolean
}

const words = fc.string({ unit: 'grapheme', maxLength: 12 })
const block = (kinds: Block['kind'][]) => fc.record({ kind: fc.constantFrom(...kinds), words, isMarked: fc.boolean() })
const call = fc.record({
  words,
  result: fc.array(block(['text', 'image']), { maxLength: 2 }),
  isAnswered: fc.boolean(),
  isError: fc.boolean(),
})
const turn: fc.Arbitrary<Turn> = fc.record({
  user: fc.array(block(['text', 'text', 'image', 'unknown']), { minLength: 1, maxLength: 3 }),
  said: fc.array(block(['text', 'thinking', 'unknown']), { minLength: 1, maxLength: 3 }),
  calls: fc.array(call, { maxLength: 3 }),
  isTextFirst: fc.boolean(),
})

/** Conversations in a form; all calls have results if `isWhole`. */
export function conversations(form: Form, isWhole: boolean): fc.Arbitrary<Planted> {
  return fc.tuple(words, fc.array(turn, { maxLength: 4 })).map(([system, turns]) => {
    const names = new Names()
    const calls: Planted['calls'] = []
    const given: JsonObject[] = [{ role: 'system', content: names.text(system) }]
    for (const each of turns) given.push(...makers[form](each, names, calls, isWhole))
    return { given, texts: names.texts, calls }
  })
}

type Maker = (turn: Turn, names: Names, calls: Planted['calls'], isWhole: boolean) => JsonObject[]
const makers: Record<Form, Maker> = { anthropic, openai, responses }

const png = 'iVBORw0KGgo='

function anthropicBlock({ kind, words, isMarked }: Block, names: Names): JsonObject {
  if (kind === 'text')
    return { type: 'text', text: names.text(words), ...(isMarked ? { cache_control: { type: 'ephemeral' } } : {}) }
  if (kind === 'image') return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
  if (kind === 'thinking') return { type: 'thinking', thinking: words, signature: 'c2ln' }
  return { type: 'container_upload', file_id: words, [`x_${words}`]: [null, { a: 1 }] }
}

function anthropic(
  { user, said, calls: made, isTextFirst }: Turn,
  names: Names,
  calls: Planted['calls'],
  isWhole: boolean,
) {
  const asked = { role: 'user', content: user.map((each) => anthropicBlock(each, names)) }
  const uses: JsonObject[] = []
  const results: JsonObject[] = []
  for (const { words, result, isAnswered, isError } of made) {
    const id = names.id()
    uses.push({ type: 'tool_use', id, name: 'read', input: { path: names.text(words) } })
    const text = names.text(words)
    const content: Json =
      result.length === 0 ? text : [{ type: 'text', text }, ...result.map((each) => anthropicBlock(each, names))]
    const isGiven = isWhole || isAnswered
    calls.push({ id, result: isGiven ? text : undefined })
    if (isGiven) results.push({ tool_use_id: id, type: 'tool_result', content, ...(isError ? { is_error: true } : {}) })
    else names.texts.splice(names.texts.indexOf(text), names.texts.length)
  }
  const answer = {
    id: 'msg_1',
    role: 'assistant',
    content: [...said.map((each) => anthropicBlock(each, names)), ...uses],
  }
  if (results.length === 0) return [asked, answer]
  const note = user.slice(0, 1).map((each) => anthropicBlock(each, names))
  const content = isTextFirst ? [...note, ...results] : [...results, ...note]
  return [asked, answer, { content: isTextFirst ? content : results, role: 'user' }].map((each, at) =>
    at === 2 && !isTextFirst ? { role: 'user', content } : each,
  )
}

function openaiPart({ kind, words, isMarked }: Block, names: Names): JsonObject {
  if (kind === 'image')
    return {
      type: 'image_url',
      image_url: { url: `data:image/png;base64,${png}`, ...(isMarked ? { detail: 'low' } : {}) },
    }
  if (kind === 'unknown' || kind === 'thinking')
    return { type: 'input_audio', input_audio: { data: png, format: words } }
  return { type: 'text', text: names.text(words) }
}

function openai(
  { user, said, calls: made, isTextFirst }: Turn,
  names: Names,
  calls: Planted['calls'],
  isWhole: boolean,
) {
  const asked = {
    role: 'user',
    content: user.map((each) => openaiPart(each, names)),
    ...(isTextFirst ? { name: 'ann' } : {}),
  }
  const text = said[0]?.isMarked ? null : names.text(said[0]?.words ?? '')
  const answer: JsonObject = { role: 'assistant', content: text, refusal: null }
  if (text === null) answer.refusal = names.text('no')
  const tools: JsonObject[] = []
  answer.tool_calls = made.map(({ words, result, isAnswered, isError }): Json => {
    const id = names.id()
    const given = names.text(words)
    const isGiven = isWhole || isAnswered
    const result0 = isGiven ? names.text(words) : undefined
    calls.push({ id, result: result0 })
    const content: Json = result.length === 0 ? (result0 ?? '') : [{ type: 'text', text: result0 ?? '' }]
    if (isGiven) tools.push({ role: 'tool', tool_call_id: id, content })
    if (isError) return { id, type: 'custom', custom: { name: 'patch', input: given } }
    return { id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path: given }) } }
  })
  if (made.length === 0) delete answer.tool_calls
  return [asked, answer, ...tools]
}

function responsesPart({ kind, words, isMarked }: Block, names: Names): JsonObject {
  if (kind === 'image')
    return { type: 'input_image', image_url: 'https://example.com/a.png', ...(isMarked ? { detail: 'low' } : {}) }
  if (kind === 'unknown') return { type: 'input_file', file_id: words }
  return { type: 'input_text', text: names.text(words) }
}

function responses(
  { user, said, calls: made, isTextFirst }: Turn,
  names: Names,
  calls: Planted['calls'],
  isWhole: boolean,
) {
  const asked = { type: 'message', role: 'user', content: user.map((each) => responsesPart(each, names)) }
  const items = said.map(({ kind, words }): JsonObject => {
    if (kind === 'thinking') return { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'c2ln' }
    if (kind === 'unknown') return { type: 'web_search_call', id: 'ws', status: 'completed', [`x_${words}`]: 1 }
    const content = [{ type: 'output_text', text: names.text(words), annotations: [] }]
    return { type: 'message', id: 'msg', status: 'completed', role: 'assistant', content }
  })
  const outputs: JsonObject[] = []
  for (const { words, result, isAnswered, isError } of made) {
    const id = names.id()
    const given = names.text(words)
    const isGiven = isWhole || isAnswered
    const text = isGiven ? names.text(words) : undefined
    calls.push({ id, result: text })
    const output: Json = result.length === 0 ? (text ?? '') : [{ type: 'input_text', text: text ?? '' }]
    if (isError) items.push({ type: 'custom_tool_call', call_id: id, name: 'patch', input: given })
    else items.push({ type: 'function_call', call_id: id, name: 'read', arguments: JSON.stringify({ path: given }) })
    if (isGiven)
      outputs.push({ type: isError ? 'custom_tool_call_output' : 'function_call_output', call_id: id, output })
  }
  // A turn may be handed over whole, or item by item.
  return isTextFirst ? [asked, { role: 'assistant', content: items }, ...outputs] : [asked, ...items, ...outputs]
}
