import type { Dialect, Sent } from './stand-in.ts'

const model = 'stand-in'

/** The Messages API, as Claude Code speaks it. */
export const anthropic: Dialect = {
  path: '/v1/messages',
  tools: (sent) => (sent.tools ?? []).map(({ name }: Sent) => name).filter((name: string) => name.startsWith('mcp__')),
  results(sent) {
    const blocks = sent.messages.flatMap(({ content }: Sent) => (Array.isArray(content) ? content : []))
    return blocks.filter(({ type }: Sent) => type === 'tool_result').map(({ content }: Sent) => textOf(content))
  },
  ask: (id, tool, given) =>
    message(id, 'tool_use', { type: 'tool_use', id: `toolu_${id}`, name: tool, input: {} }, [
      { type: 'input_json_delta', partial_json: JSON.stringify(given) },
    ]),
  say: (id, text) => message(id, 'end_turn', { type: 'text', text: '' }, [{ type: 'text_delta', text }]),
}

function textOf(content: Sent): string {
  return typeof content === 'string' ? content : content.map(({ text }: Sent) => text).join('\n')
}

function message(id: string, stop_reason: string, content_block: object, deltas: object[]): object[] {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const empty = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
  return [
    { type: 'message_start', message: empty },
    { type: 'content_block_start', index: 0, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}
