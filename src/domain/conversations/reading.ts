import type { JsonObject } from '../../json/value.ts'
import { blobChunks, blobs } from '../blobs/tables.ts'
import { type Asking, ask, askRow } from '../log/questions.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import { contextStream, type Stretch } from './facts.ts'
import { aboutConversations, type ContextEvent, type ContextMessage } from './questions.ts'
import { countOf } from './visible/stretches.ts'

/** Versions that are asked for at once where some between them are hidden: which, is said of each. */
const windowMax = 256

/** An event of a conversation with its body, where that is here. */
export interface Entry {
  readonly seq: number
  readonly version: number
  readonly type: string
  /** When, where that was asked for. */
  readonly at: number | undefined
  /** The session whose conversation it was said in. */
  readonly no: number
  readonly data: JsonObject | null
}

/** So much of a conversation is read at once; more is no model's context, and would hold up everybody else. */
const bytesMax = 16 * 1024 * 1024
/** So few versions are never more than that. */
const fewVersions = 16

/** Why stretches are not read as one, if so: it is known before they are. */
export function* checkRead(root: number, stretches: readonly Stretch[]): Asking<Refusal | undefined> {
  if (countOf(stretches) <= fewVersions) return undefined
  let bytes = 0
  for (const { no, from, upto, marks } of together(stretches)) {
    const stream = contextStream(no)
    const [found] =
      marks === undefined
        ? yield* ask(aboutConversations.context_bytes, root, stream, from - 1, upto)
        : yield* ask(aboutConversations.context_bytes_marked, root, stream, from - 1, upto, marks)
    bytes += Number(found?.bytes ?? 0)
  }
  if (bytes <= bytesMax) return undefined
  const message = `These messages have ${bytes} bytes; the limit of one answer is ${bytesMax}.`
  const hint =
    'Read part of them with `since` and `point`, or have a summary stand for the older ones with `context.compact`.'
  return refuse('value_too_large', message, hint, { limit: 'contextBytes', limit_value: bytesMax })
}

/** The events of stretches, in their order; for messages alone, those that are none are not read, nor when they were said. */
export function* entriesOf(root: number, stretches: readonly Stretch[], which: 'events' | 'messages'): Asking<Entry[]> {
  const entries: Entry[] = []
  for (const { no, from, upto, marks } of together(stretches)) {
    const stream = contextStream(no)
    const events: readonly (ContextMessage & Partial<ContextEvent>)[] =
      marks === undefined
        ? yield* ask(aboutConversations[`context_${which}`], root, stream, from - 1, upto)
        : yield* ask(aboutConversations[`context_${which}_marked`], root, stream, from - 1, upto, marks)
    // Written out: this runs for every message of a conversation.
    for (const { seq, version, type, at, data } of events) {
      entries.push({ seq, version, type, at, no, data: data === null ? null : (JSON.parse(data) as JsonObject) })
    }
  }
  return entries
}

interface Reading {
  readonly no: number
  readonly from: number
  upto: number
  /** Which of them are wanted, as 0 and 1; all unless given. */
  marks?: string
}

/** Stretches that lie close to one another are read in one go: a conversation that was often rewound has many. */
function together(stretches: readonly Stretch[]): Reading[] {
  const all: Reading[] = []
  for (const [no, from, upto] of stretches) {
    const last = all.at(-1)
    if (last !== undefined && last.no === no && from > last.upto && upto - last.from < windowMax) {
      const before = last.marks ?? '1'.repeat(last.upto - last.from + 1)
      last.marks = before + '0'.repeat(from - last.upto - 1) + '1'.repeat(upto - from + 1)
      last.upto = upto
    } else all.push({ no, from, upto })
  }
  return all
}

/** The bytes of a blob of the root. */
export function* blobBytes(root: number, hash: string): Asking<Uint8Array | undefined> {
  const row = yield* askRow(blobs, root, hash)
  if (row === undefined) return undefined
  const bytes = new Uint8Array(row.bytes)
  for (let no = 0, at = 0; at < row.bytes; no++) {
    const piece = yield* askRow(blobChunks, row.content, no)
    if (piece === undefined) return undefined
    bytes.set(piece.chunk, at)
    at += piece.chunk.length
  }
  return bytes
}
