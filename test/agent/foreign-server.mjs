// An MCP server with a tool that writes a line into a file each time it is called.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const file = process.argv[2] ?? ''
const schema = { type: 'object', properties: { line: { type: 'string' } } }
const tools = [
  { name: 'note', description: 'Write a line.', inputSchema: schema },
  { name: 'state_get', description: 'Another one of this name.', inputSchema: schema },
]

/** @param {string} method @param {any} params */
function resultOf(method, params) {
  if (method === 'initialize')
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'foreign', version: '1' } }
  if (method === 'tools/list') return { tools }
  appendFileSync(file, `${params.arguments.line ?? ''}\n`)
  return { content: [{ type: 'text', text: `noted ${params.arguments.line}` }] }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) })}\n`)
})
