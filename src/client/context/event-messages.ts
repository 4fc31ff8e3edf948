import { detect } from '../../domain/conversations/forms/detect.ts'
import type { Outgoing } from '../../domain/conversations/forms/outcomes.ts'
import { formOf } from '../../domain/conversations/forms/text.ts'
import { type LeftOut, writeMessages } from '../../domain/conversations/forms/write.ts'
import type { Form } from '../../domain/conversations/stored.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import type { ContextEvent } from './repository.ts'

/** A conversation as a provider takes it. */
export interface ContextMessages {
  readonly format: Form
  readonly messages: JsonObject[]
  /** The system prompt, where the form has it beside the messages. */
  readonly system?: Json
  /** What the form cannot hold. */
  readonly leftOut: readonly LeftOut[]
}

/** The messages that events make, in the form asked for or that of the provider they came from. */
export function messagesOf(events: readonly ContextEvent[], asked: Form | undefined): ContextMessages {
  const said = events.flatMap(outgoingOf)
  const format = asked ?? formOf(said) ?? 'openai'
  const { messages, system, left_out } = writeMessages(said, format)
  return { format, messages, ...(system !== undefined && { system }), leftOut: left_out }
}

function outgoingOf(event: ContextEvent): Outgoing[] {
  const { eventType: type, sequenceNumber: version, content, toolCallId, joined, outcome } = event
  if (type === 'tool_call') return []
  if (type === 'context_compacted') {
    const message = { role: 'user', content: content.summary ?? '' }
    return [{ type: 'user_message', version, message, summary: true }]
  }
  const form = event.form ?? detect(content)
  return [
    {
      type,
      version,
      message: content,
      ...(form && { form }),
      ...(type === 'tool_result' && toolCallId !== undefined && { call: toolCallId }),
      ...(joined && { joined }),
      ...(outcome && { outcome }),
    },
  ]
}
