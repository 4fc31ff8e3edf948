import type { JsonObject } from '../../../json/value.ts'
import type { Refusal } from '../../log/refusal.ts'
import type { MessageType } from '../stored.ts'
import { checkedCalls, hasContent, isRefusal, isResult } from './calls.ts'
import { blocksOf, without } from './members.ts'
import type { Read } from './read.ts'
import { refuseEmpty, refuseNameless } from './read-refusals.ts'

/** A message of Anthropic's: results stand as blocks in the user's message, and each is stored on its own. */
export function readAnthropic(type: MessageType, message: JsonObject): Read[] | Refusal {
  const blocks = blocksOf(message.content)
  const hasResults = blocks.some(isResult)
  if (type === 'tool_result' && !hasResults) return readTool(message)
  if (hasResults && (type === 'user_message' || type === 'tool_result')) {
    return readParts(type === 'tool_result' ? { ...message, role: 'user' } : message, blocks)
  }
  const calls = type === 'assistant_message' ? checkedCalls('anthropic', message) : []
  if (isRefusal(calls)) return calls
  if (!hasContent(message.content)) return refuseEmpty()
  return [{ type, form: 'anthropic', message, calls }]
}

/** A result that was given by its role: as the block that Anthropic has for it. */
function readTool({ role: _, tool_call_id: call, content = '', ...others }: JsonObject): Read[] | Refusal {
  if (typeof call !== 'string' || call === '') return refuseNameless(['tool_call_id'])
  const message = { type: 'tool_result', tool_use_id: call, content, ...others }
  return [{ type: 'tool_result', form: 'anthropic', message, call, calls: [] }]
}

/** The results and what stands between them, in their order; all but the first are joined to the one before. */
function readParts(message: JsonObject, blocks: readonly JsonObject[]): Read[] | Refusal {
  const parts: Read[] = []
  let run: JsonObject[] = []
  // What the message has besides its blocks is kept once, by the first part that is the user's own.
  let shell: JsonObject | undefined = message
  const endRun = () => {
    if (run.length > 0) parts.push(userPart({ ...(shell ?? { role: 'user' }), content: run }))
    if (run.length > 0) shell = undefined
    run = []
  }
  for (const [at, block] of blocks.entries()) {
    if (!isResult(block)) {
      run.push(block)
      continue
    }
    const call = block.tool_use_id
    if (typeof call !== 'string' || call === '') return refuseNameless(['content', at, 'tool_use_id'])
    endRun()
    parts.push({ type: 'tool_result', form: 'anthropic', message: block, call, calls: [] })
  }
  endRun()
  // A message of results alone keeps what else it said in a part without blocks.
  const others = Object.keys(without(without(message, 'content'), 'role'))
  if (shell !== undefined && others.length > 0) parts.push(userPart({ ...message, content: [] }))
  return parts.map((part, at) => (at === 0 ? part : { ...part, joined: true }))
}

function userPart(message: JsonObject): Read {
  return { type: 'user_message', form: 'anthropic', message, calls: [] }
}
