import type { JsonObject } from '../../json/value.ts'
import { type Asking, ask, askRow } from '../log/questions.ts'
import { contextStream } from './facts.ts'
import { callsOf } from './forms/calls.ts'
import { normalOf } from './forms/text.ts'
import { idOf } from './ids.ts'
import { aboutConversations } from './questions.ts'
import type { Form, Stored } from './stored.ts'
import { contextIds } from './tables.ts'

/** Characters of a message that fit into a line. */
const lineChars = 120

/** The message of an agent that something was done for. */
export type SaidMessage = {
  /** Its place in the conversation of the session that did it. */
  sequence_number: number
  tool: string
  tool_call_id: string
  /** What the agent said with it, cut to one line; empty where it only called. */
  text: string
}

/** The message with the tool call that is the cause of an event; undefined where none is said, or it is not here. */
export function* messageBehind(root: number, no: number, cause: string | null): Asking<SaidMessage | undefined> {
  const { call } = (cause === null ? {} : JSON.parse(cause)) as { call?: string }
  if (call === undefined) return undefined
  const row = yield* askRow(contextIds, root, no, idOf('c', call))
  const [event] =
    row === undefined
      ? []
      : yield* ask(aboutConversations.context_events, root, contextStream(no), row.version - 1, row.version)
  if (event === undefined || event.data === null) return undefined
  const { message, form } = JSON.parse(event.data) as { message: JsonObject; form?: Form }
  const stored: Stored = { type: 'assistant_message', message, ...(form && { form }) }
  const tool = callsOf(stored).find(({ id }) => id === call)?.name ?? ''
  const said = normalOf(stored).pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []))
  return { sequence_number: event.version, tool, tool_call_id: call, text: oneLine(said.join(' ')) }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= lineChars ? line : `${line.slice(0, lineChars).toWellFormed()}…`
}
