import type { Dialect, Sent } from './stand-in.ts'

/** The Responses API, as Codex speaks it: the tools of an MCP server stand in a namespace. */
export const openai: Dialect = {
  path: '/v1/responses',
  tools: (sent) =>
    (sent.tools ?? [])
      .filter(({ type, name }: Sent) => type === 'namespace' && name.startsWith('mcp__'))
      .flatMap(({ name, tools }: Sent) => tools.map((tool: Sent) => `${name}/${tool.name}`)),
  results: (sent) =>
    sent.input.filter(({ type }: Sent) => type === 'function_call_output').map(({ output }: Sent) => textOf(output)),
  ask(id, tool, given) {
    const [namespace, name] = tool.split('/')
    const call = { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, namespace, name }
    return response(id, { ...call, arguments: JSON.stringify(given) })
  },
  say: (id, text) =>
    response(id, { type: 'message', id: `msg_${id}`, role: 'assistant', content: [{ type: 'output_text', text }] }),
}

function textOf(output: Sent): string {
  return typeof output === 'string' ? output : output.map(({ text }: Sent) => text).join('\n')
}

function response(id: string, item: object): object[] {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: 'response.created', response: { id: `resp_${id}` } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: `resp_${id}`, status: 'completed', output: [item], usage } },
  ]
}
