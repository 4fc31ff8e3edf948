import type { Json, JsonObject } from '../../../json/value.ts'
import type { Form } from '../stored.ts'
import { blocksOf, typeOf } from './members.ts'

const anthropicBlock =
  /^(?:tool_use|tool_result|thinking|redacted_thinking|image|document|search_result|container_upload|server_tool_use|mcp_tool_use|\w+_tool_result)$/
const openaiPart = /^(?:image_url|input_audio|file|refusal)$/
const responsesPart = /^(?:input_text|output_text|input_image|input_file|summary_text|reasoning_text)$/
const responsesItem =
  /^(?:message|reasoning|\w+_call|\w+_call_output|item_reference|compaction|mcp_list_tools|mcp_approval_re(?:quest|sponse))$/

/** Only answers and inputs of Responses have these beside a role and a text. */
const responsesMembers = ['type', 'phase', 'status']
/** Members that Anthropic gives with its answers, or takes in a block of text. */
const anthropicMembers = ['stop_reason', 'cache_control', 'citations']

export function isItem(block: JsonObject): boolean {
  return responsesItem.test(typeOf(block))
}

/** Whether the content of an assistant's message in the form of Responses is a list of items rather than the parts of one. */
export function holdsItems(content: Json | undefined): content is JsonObject[] {
  if (!Array.isArray(content)) return false
  const blocks = blocksOf(content)
  return blocks.some(isItem) || !blocks.some((block) => /^(?:text|refusal)$/.test(typeOf(block)) || isPart(block))
}

function isPart(block: JsonObject): boolean {
  return responsesPart.test(typeOf(block))
}

/** Whose form a message is in; undefined if it is nothing but a role and a text. */
export function detect(message: JsonObject): Form | undefined {
  const { role, content, tool_calls: calls } = message
  if (Array.isArray(calls) && calls.length > 0) return 'openai'
  const blocks = blocksOf(content)
  if (blocks.some((block) => isItem(block) || isPart(block))) return 'responses'
  if (blocks.some((block) => anthropicBlock.test(typeOf(block)))) return 'anthropic'
  if (blocks.some((block) => openaiPart.test(typeOf(block)))) return 'openai'
  if (role === 'tool' || role === 'developer') return 'openai'
  const has = (name: string) => message[name] !== undefined
  if (Array.isArray(content)) return textBlocks(message, blocks)
  if (Object.keys(message).every((name) => name === 'role' || name === 'content')) return undefined
  return responsesMembers.some(has) ? 'responses' : 'openai'
}

/** Blocks of text are the same in two forms; what stands beside them tells which is meant. */
function textBlocks(message: JsonObject, blocks: readonly JsonObject[]): Form {
  const isAnthropic = [message, ...blocks].some((each) => anthropicMembers.some((name) => each[name] !== undefined))
  const isOpenai = ['name', 'refusal', 'tool_calls', 'audio'].some((name) => message[name] !== undefined)
  return isOpenai && !isAnthropic ? 'openai' : 'anthropic'
}
