import type { FeedEvent } from '../../../src/domain/log/event.ts'
import type { Json } from '../../../src/json/value.ts'
import { plain } from '../parts/text.tsx'
import { lineOf } from '../parts/value-line.tsx'

export type EventShown = Omit<FeedEvent, 'root_session_id'>

type Data = { readonly [member: string]: Json }

/** What happened, in one line. */
export function wordsOf({ type, data, body }: EventShown): string {
  if (data === null || typeof data !== 'object' || Array.isArray(data)) {
    return body === 'elsewhere' ? 'its content was never stored here' : 'its content was removed'
  }
  return plain((words[type] ?? anything)(data))
}

const anything = (data: Data): string => lineOf(data as Json, 160)
const textIn = (name: string) => (data: Data) => String(data[name] ?? '')

const words: Readonly<Record<string, (data: Data) => string>> = {
  session_created: (data) => `${data.no === 0 ? 'root' : (data.name ?? '')} ${data.topic ?? ''}`,
  status_changed: (data) => `${data.from} → ${data.to}${data.reason === undefined ? '' : `: ${data.reason}`}`,
  set: (data) => lineOf(data.value ?? null, 160),
  init: (data) => lineOf(data.payload ?? null, 160),
  full_replace: (data) => lineOf(data.payload ?? null, 160),
  append: (data) => lineOf(data.items ?? null, 160),
  increment: (data) => `by ${data.delta}`,
  patch: (data) => lineOf(data.patch ?? null, 160),
  delete: () => '',
  tool_call: textIn('name'),
  user_message: (data) => lineOf((data.message as Data | undefined)?.content ?? null, 160),
  assistant_message: (data) => lineOf((data.message as Data | undefined)?.content ?? null, 160),
  tool_result: (data) =>
    data.outcome === 'unknown' ? 'outcome unknown' : lineOf((data.message as Data | undefined)?.content ?? null, 160),
  run_started: (data) => [data.adapter, data.model].filter(Boolean).join(' '),
  run_ended: (data) => [data.how, data.reason].filter(Boolean).join(': '),
  decision_made: textIn('text'),
  blocker_identified: textIn('text'),
  need_raised: textIn('text'),
  note_added: textIn('text'),
  next_action_set: textIn('text'),
  task_added: textIn('text'),
  phase_changed: (data) => `phase ${data.phase}: ${data.from} → ${data.to}`,
}
