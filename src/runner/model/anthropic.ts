import type { Json, JsonObject } from '../../json/value.ts'
import { askEndpoint, type Endpoint } from './endpoint.ts'
import { dataIn } from './event-stream.ts'
import { BrokenAnswer, count, eventIn, inputIn, isObject, type Provider, type Turn, type TurnRequest } from './turn.ts'

/** Anthropic wants a limit with each request. */
const maxTokensUsual = 8192

export interface ModelOptions {
  readonly model: string
  readonly maxTokens: number | undefined
}

/** `POST {base}/v1/messages`, streamed. */
export function anthropicProvider(endpoint: Endpoint, { model, maxTokens = maxTokensUsual }: ModelOptions): Provider {
  return {
    format: 'anthropic',
    model,
    ask({ system, messages, tools, signal, onText }) {
      const request = {
        model,
        max_tokens: maxTokens,
        ...(system !== undefined && { system }),
        messages,
        ...(tools.length > 0 && { tools: tools.map(offered) }),
        stream: true,
      }
      return askEndpoint(endpoint, request, signal, (body) => readTurn(body, onText))
    },
  }
}

function offered({ name, description, inputSchema }: TurnRequest['tools'][number]): object {
  return { name, description, input_schema: inputSchema }
}

/** An answer as far as it has come. */
interface Draft {
  id: string | undefined
  readonly blocks: Map<number, { block: JsonObject; json: string }>
  stopReason: string
  usage: JsonObject
  isWhole: boolean
}

async function readTurn(body: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<Turn> {
  const draft: Draft = { id: undefined, blocks: new Map(), stopReason: '', usage: {}, isWhole: false }
  for await (const data of dataIn(body)) {
    take(eventIn(data), draft, onText)
    if (draft.isWhole) break
  }
  if (!draft.isWhole) throw new BrokenAnswer('it broke off')
  return turnOf(draft)
}

function take(event: JsonObject, draft: Draft, onText: (text: string) => void): void {
  const { type } = event
  if (type === 'message_start' && isObject(event.message)) {
    const { id, usage } = event.message
    draft.id = typeof id === 'string' ? id : undefined
    if (isObject(usage)) draft.usage = usage
  } else if (type === 'content_block_start' && isObject(event.content_block)) {
    draft.blocks.set(count(event.index), { block: { ...event.content_block }, json: '' })
  } else if (type === 'content_block_delta' && isObject(event.delta)) {
    takeDelta(event.delta, draft.blocks.get(count(event.index)), onText)
  } else if (type === 'message_delta' && isObject(event.delta)) {
    if (typeof event.delta.stop_reason === 'string') draft.stopReason = event.delta.stop_reason
    if (isObject(event.usage)) draft.usage = { ...draft.usage, ...event.usage }
  } else if (type === 'message_stop') draft.isWhole = true
  else if (type === 'error') {
    const said = isObject(event.error) ? event.error.message : undefined
    throw new BrokenAnswer(typeof said === 'string' ? said : 'it reported an error')
  }
}

function takeDelta(
  { type, ...delta }: JsonObject,
  entry: { block: JsonObject; json: string } | undefined,
  onText: (text: string) => void,
): void {
  if (entry === undefined) throw new BrokenAnswer('it went on with a block that was never begun')
  const { block } = entry
  const add = (member: string, more: Json | undefined) => {
    block[member] = `${typeof block[member] === 'string' ? block[member] : ''}${typeof more === 'string' ? more : ''}`
  }
  if (type === 'text_delta') {
    add('text', delta.text)
    onText(String(delta.text ?? ''))
  } else if (type === 'input_json_delta') entry.json += String(delta.partial_json ?? '')
  else if (type === 'thinking_delta') add('thinking', delta.thinking)
  else if (type === 'signature_delta') add('signature', delta.signature)
  else if (type === 'citations_delta') {
    block.citations = [...(Array.isArray(block.citations) ? block.citations : []), delta.citation ?? null]
  }
}

function turnOf({ id, blocks, stopReason, usage }: Draft): Turn {
  const content = [...blocks]
    .sort(([one], [other]) => one - other)
    .flatMap(([, { block, json }]) => finished(block, json, stopReason))
  const calls = content.flatMap((block) =>
    block.type === 'tool_use'
      ? [{ id: String(block.id), name: String(block.name), input: block.input as JsonObject }]
      : [],
  )
  const text = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('')
  const cached = count(usage.cache_read_input_tokens)
  const input = count(usage.input_tokens) + count(usage.cache_creation_input_tokens) + cached
  return { id, content, calls, text, stopReason, usage: { input, output: count(usage.output_tokens), cached } }
}

/** A call whose arguments were cut off by the limit of tokens was never made; an empty text is refused when it is sent back. */
function finished(block: JsonObject, json: string, stopReason: string): JsonObject[] {
  if (block.type === 'text' && block.text === '') return []
  if (json === '') return [block]
  const input = inputIn(json)
  if (input !== undefined) return [{ ...block, input }]
  if (stopReason === 'max_tokens') return []
  throw new BrokenAnswer('it called a tool with arguments that are not JSON')
}
