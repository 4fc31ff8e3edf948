import type { Call } from '../../../src/domain/conversations/forms/normal.ts'
import { normalOf } from '../../../src/domain/conversations/forms/text.ts'
import type { Stored } from '../../../src/domain/conversations/stored.ts'
import type { Json, JsonObject } from '../../../src/json/value.ts'

/** One event of a conversation, as `context show --format raw` has it. */
export interface Entry {
  readonly sequence_number: number
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly data: JsonObject | null
  readonly hidden?: true
}

export interface Result {
  readonly entry: Entry
  readonly text: string
  readonly isError: boolean
  readonly isUnknown: boolean
}

export interface CallShown extends Call {
  /** Absent while the tool runs. */
  readonly result: Result | undefined
}

/** What stands in the transcript as one. */
export type Item =
  | {
      readonly kind: 'message'
      readonly entry: Entry
      readonly role: string
      readonly texts: readonly string[]
      readonly thinking: readonly string[]
      readonly calls: readonly CallShown[]
      readonly others: readonly string[]
    }
  | { readonly kind: 'mark'; readonly entry: Entry; readonly text: string; readonly summary?: string }

const messages = ['system_message', 'user_message', 'assistant_message', 'tool_result']

/** Messages with their calls and what came of them, and marks of what was done to the conversation. */
export function itemsOf(entries: readonly Entry[]): Item[] {
  const results = new Map<string, Result>()
  for (const entry of entries) {
    if (entry.type === 'tool_result' && entry.data !== null) results.set(String(entry.data.call), resultOf(entry))
  }
  const called = new Set<string>()
  return entries.flatMap((entry): Item[] => {
    const item = itemOf(entry, results, called)
    return item === undefined ? [] : [item]
  })
}

function itemOf(entry: Entry, results: ReadonlyMap<string, Result>, called: Set<string>): Item | undefined {
  const { type, data } = entry
  if (data === null) return { kind: 'mark', entry, text: 'The content of this message is not here.' }
  if (type === 'tool_call') return undefined
  if (type === 'tool_result' && called.has(String(data.call))) return undefined
  if (!messages.includes(type)) return markOf(entry, data)
  const { role, pieces, lost } = normalOf(storedOf(entry, data))
  const calls = pieces.flatMap((piece) => (piece.kind === 'call' ? [{ ...piece, result: results.get(piece.id) }] : []))
  for (const { id } of calls) called.add(id)
  return {
    kind: 'message',
    entry,
    role,
    texts: pieces.flatMap((piece) =>
      piece.kind === 'text' ? [piece.text] : piece.kind === 'image' ? ['[image]'] : [],
    ),
    thinking: thinkingIn(data.message as JsonObject),
    calls,
    others: lost.filter((what) => !/thinking/.test(what)),
  }
}

function markOf(entry: Entry, data: JsonObject): Item {
  if (entry.type === 'context_rewound') return { kind: 'mark', entry, text: `Rewound to message ${data.to}` }
  if (entry.type === 'context_compacted') {
    return {
      kind: 'mark',
      entry,
      text: `Messages ${data.from} to ${data.upto} were compacted`,
      summary: String(data.summary),
    }
  }
  if (entry.type === 'context_copied') {
    return { kind: 'mark', entry, text: `Copied from session ${data.from}, up to message ${data.upto}` }
  }
  return { kind: 'mark', entry, text: entry.type }
}

function storedOf({ type }: Entry, data: JsonObject): Stored {
  const { message, form, call } = data
  return {
    type,
    message,
    ...(form !== undefined && { form }),
    ...(call !== undefined && { call }),
  } as unknown as Stored
}

function resultOf(entry: Entry): Result {
  const data = entry.data as JsonObject
  const { pieces, isError = false } = normalOf(storedOf(entry, data))
  const text = pieces.map((piece) => (piece.kind === 'text' ? piece.text : `[${piece.kind}]`)).join('\n')
  return { entry, text, isError, isUnknown: data.outcome === 'unknown' }
}

/** Only the form of a provider has it. */
function thinkingIn({ content }: JsonObject): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((block: Json) => {
    const { type, thinking } = (block ?? {}) as JsonObject
    return type === 'thinking' && typeof thinking === 'string' ? [thinking] : []
  })
}
