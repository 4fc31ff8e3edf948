import { elapsed } from '../../../clock.ts'
import { CairnRefusal } from '../../../domain/log/refusal.ts'
import type { Json } from '../../../json/value.ts'
import type { Method, MethodCall } from '../method-call.ts'
import { codes, isObject, notification, ProtocolError } from '../protocol/json-rpc.ts'
import type { Perform, Tool } from '../tools/tool.ts'
import { toolRefusal, toolResult } from './tool-results.ts'

/** How often one who waits is told so: clients give up on calls that are silent for about a minute. */
const progressMs = 5000

export const toolsListed: Method = ({ offer }) => ({ tools: offer.tools.map(({ run: _, ...shown }) => shown) })

export const called: Method = async (call) => {
  const { params, offer, revision } = call
  const tool = offer.tools.find(({ name }) => name === params.name)
  if (tool === undefined) throw unknownTool(params.name, offer.tools)
  const { arguments: given = {} } = params
  if (!isObject(given)) throw new ProtocolError(codes.params, 'arguments must be an object.')
  try {
    return toolResult(await tool.run(given, performing(call)), revision)
  } catch (error) {
    if (error instanceof CairnRefusal) return toolRefusal(error.refusal, revision)
    throw error
  }
}

function unknownTool(name: Json | undefined, tools: readonly Tool[]): ProtocolError {
  const known = tools.map((tool) => tool.name).join(', ')
  const shownName = typeof name === 'string' ? name.slice(0, 100) : 'without a name'
  return new ProtocolError(codes.params, `Unknown tool ${shownName}. Available: ${known}.`)
}

/** Does what a tool asks; while it waits, the client hears of it if it wants to. */
function performing(call: MethodCall): Perform {
  const execute: Perform = (operation, input) => call.performer.execute(operation, input, call.signal)
  const tell = progressOf(call)
  if (tell === undefined) return execute
  return async (operation, input) => {
    if (operation.kind !== 'wait') return execute(operation, input)
    tell()
    const timer = setInterval(tell, progressMs)
    return execute(operation, input).finally(() => clearInterval(timer))
  }
}

/** Tells how many seconds a call has taken so far, more each time; undefined where nobody wants to know. */
function progressOf({ params, notify }: MethodCall): (() => void) | undefined {
  const { progressToken } = isObject(params._meta) ? params._meta : {}
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return undefined
  const started = elapsed()
  let last = -0.001
  return () => {
    last = Math.max(last + 0.001, (elapsed() - started) / 1000)
    const progress = Number(last.toFixed(3))
    notify(notification('notifications/progress', { progressToken, progress, message: 'waiting' }))
  }
}
