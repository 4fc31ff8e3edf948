import type { JsonObject } from '../../json/value.ts'
import type { ModelOptions } from './anthropic.ts'
import { askEndpoint, type Endpoint } from './endpoint.ts'
import { dataIn } from './event-stream.ts'
import { BrokenAnswer, count, eventIn, inputIn, isObject, type Provider, type Turn, type TurnRequest } from './turn.ts'

/** `POST {base}/chat/completions`, streamed. */
export function openaiProvider(endpoint: Endpoint, { model, maxTokens }: ModelOptions): Provider {
  // Of the two names of the limit, others than OpenAI itself know the older one.
  const limit = new URL(endpoint.url).host === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens'
  return {
    format: 'openai',
    model,
    ask({ messages, tools, signal, onText }) {
      const request = {
        model,
        messages,
        ...(maxTokens !== undefined && { [limit]: maxTokens }),
        ...(tools.length > 0 && { tools: tools.map(offered) }),
        stream: true,
        stream_options: { include_usage: true },
      }
      return askEndpoint(endpoint, request, signal, (body) => readTurn(body, onText))
    },
  }
}

function offered({ name, description, inputSchema }: TurnRequest['tools'][number]): object {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

interface CallDraft {
  id: string
  name: string
  arguments: string
}

interface Draft {
  id: string | undefined
  text: string
  refusal: string
  readonly calls: Map<number, CallDraft>
  finish: string | undefined
  usage: JsonObject
}

async function readTurn(body: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<Turn> {
  const draft: Draft = { id: undefined, text: '', refusal: '', calls: new Map(), finish: undefined, usage: {} }
  for await (const data of dataIn(body)) {
    if (data.trim() === '[DONE]') break
    take(eventIn(data), draft, onText)
  }
  if (draft.finish === undefined) throw new BrokenAnswer('it broke off')
  return turnOf(draft, draft.finish)
}

function take(chunk: JsonObject, draft: Draft, onText: (text: string) => void): void {
  if (chunk.error !== undefined) {
    const said = isObject(chunk.error) ? chunk.error.message : chunk.error
    throw new BrokenAnswer(typeof said === 'string' ? said : 'it reported an error')
  }
  if (typeof chunk.id === 'string' && chunk.id !== '') draft.id ??= chunk.id
  if (isObject(chunk.usage)) draft.usage = chunk.usage
  const [choice] = Array.isArray(chunk.choices) ? chunk.choices : []
  if (!isObject(choice)) return
  const delta = isObject(choice.delta) ? choice.delta : {}
  if (typeof delta.content === 'string') {
    draft.text += delta.content
    if (delta.content !== '') onText(delta.content)
  }
  if (typeof delta.refusal === 'string') draft.refusal += delta.refusal
  for (const call of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) {
    if (isObject(call)) takeCall(call, draft.calls)
  }
  if (typeof choice.finish_reason === 'string') draft.finish = choice.finish_reason
}

function takeCall(call: JsonObject, calls: Map<number, CallDraft>): void {
  const at = typeof call.index === 'number' ? call.index : calls.size
  const draft = calls.get(at) ?? { id: '', name: '', arguments: '' }
  const { name, arguments: given } = isObject(call.function) ? call.function : {}
  if (typeof call.id === 'string' && draft.id === '') draft.id = call.id
  if (typeof name === 'string' && draft.name === '') draft.name = name
  if (typeof given === 'string') draft.arguments += given
  calls.set(at, draft)
}

function turnOf({ id, text, refusal, calls: drafts, usage }: Draft, finish: string): Turn {
  const isCut = (call: CallDraft) => finish === 'length' && inputIn(call.arguments) === undefined
  const made = [...drafts].sort(([one], [other]) => one - other).flatMap(([, call]) => (isCut(call) ? [] : [call]))
  if (made.some(({ name }) => name === '')) throw new BrokenAnswer('it called a tool without a name')
  // Some endpoints give calls no id; the loop gives each one of its own.
  const toolCalls = made.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments },
  }))
  const calls = made.map((call) => ({ id: call.id, name: call.name, input: inputIn(call.arguments) }))
  const said = text === '' ? refusal : text
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  return {
    id,
    content: said === '' ? null : said,
    ...(toolCalls.length > 0 && { toolCalls }),
    calls,
    text: said,
    stopReason: finish,
    usage: {
      input: count(usage.prompt_tokens),
      output: count(usage.completion_tokens),
      cached: count(details.cached_tokens),
    },
  }
}
