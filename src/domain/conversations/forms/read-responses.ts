import type { Path } from '../../../json/refusals.ts'
import type { JsonObject } from '../../../json/value.ts'
import type { Refusal } from '../../log/refusal.ts'
import type { MessageType } from '../stored.ts'
import { checkedCalls, hasContent, isOutput, isRefusal } from './calls.ts'
import { holdsItems, isItem } from './detect.ts'
import { blocksOf } from './members.ts'
import type { Read } from './read.ts'
import { refuseEmpty, refuseNameless } from './read-refusals.ts'

/** A message of Responses, or the items of a turn as the content of one. */
export function readResponses(type: MessageType, message: JsonObject): Read[] | Refusal {
  const { content } = message
  const isTurn = type === 'assistant_message' ? holdsItems(content) : blocksOf(content).some(isItem)
  if (isTurn && hasContent(content)) return readItems(blocksOf(content), ['content'])
  if (type === 'tool_result') return readTool(message)
  if (!hasContent(content)) return refuseEmpty()
  return [{ type, form: 'responses', message, calls: [] }]
}

/** A result that was given by its role: as the item that Responses has for it. */
function readTool({ role: _, tool_call_id: call, content = '', ...others }: JsonObject): Read[] | Refusal {
  const item = { type: 'function_call_output', call_id: call ?? null, output: content, ...others }
  const read = readOutput(item, ['tool_call_id'])
  return isRefusal(read) ? read : [read]
}

/**
 * The items of a turn, whose place is `path`. Results and the messages of users stand on their own; what the model gave between
 * them is one message, as it was one answer.
 */
export function readItems(items: readonly JsonObject[], path: Path): Read[] | Refusal {
  const read: (Read | Refusal)[] = []
  let run: JsonObject[] = []
  const endRun = () => {
    if (run.length > 0) read.push(readTurn(run))
    run = []
  }
  for (const [at, item] of items.entries()) {
    const type = typeOfItem(item)
    if (type === 'assistant_message') {
      run.push(item)
      continue
    }
    endRun()
    if (type === 'tool_result') read.push(readOutput(item, path.length === 0 ? ['call_id'] : [...path, at, 'call_id']))
    else read.push({ type, form: 'responses', message: item, calls: [] })
  }
  endRun()
  return read.find(isRefusal) ?? read.flatMap((each) => (isRefusal(each) ? [] : [each]))
}

function typeOfItem({ type, role, ...item }: JsonObject): MessageType {
  if (isOutput({ type: type ?? null, ...item })) return 'tool_result'
  // A message may be an item without a type.
  if (type !== 'message' && type !== undefined) return 'assistant_message'
  if (role === 'user') return 'user_message'
  return role === 'system' || role === 'developer' ? 'system_message' : 'assistant_message'
}

function readTurn(content: JsonObject[]): Read | Refusal {
  const message = { role: 'assistant', content }
  const calls = checkedCalls('responses', message)
  return isRefusal(calls) ? calls : { type: 'assistant_message', form: 'responses', message, calls }
}

function readOutput(item: JsonObject, path: Path): Read | Refusal {
  const call = item.call_id
  if (typeof call !== 'string' || call === '') return refuseNameless(path)
  return { type: 'tool_result', form: 'responses', message: item, call, calls: [] }
}
