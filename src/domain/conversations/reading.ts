import type { JsonObject } from '../../json/value.ts'
import { blobChunks, blobs } from '../blobs/tables.ts'
import { type Asking, ask, askRow } from '../log/questions.ts'
import { contextStream, type Stretch } from './facts.ts'
import type { ContextEvent, ContextMessage } from './questions.ts'

/** Hidden versions between two visible stretches that are rather read than asked for around. */
const gapMax = 64

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

/** The events of stretches, in their order; for messages alone, those that are none are not read, nor when they were said. */
export function* entriesOf(
  root: number,
  stretches: readonly Stretch[],
  question: 'context_events' | 'context_messages',
): Asking<Entry[]> {
  const entries: Entry[] = []
  for (const { no, from, upto, wanted } of together(stretches)) {
    const events: readonly (ContextMessage & Partial<ContextEvent>)[] = yield* ask(
      question,
      root,
      contextStream(no),
      from - 1,
      upto,
    )
    let next = 0
    // Written out: this runs for every message of a conversation.
    for (const { seq, version, type, at, data } of events) {
      while ((wanted[next]?.[2] ?? upto) < version) next++
      if (version < (wanted[next]?.[1] ?? 0)) continue
      entries.push({ seq, version, type, at, no, data: data === null ? null : (JSON.parse(data) as JsonObject) })
    }
  }
  return entries
}

interface Reading {
  readonly no: number
  readonly from: number
  upto: number
  readonly wanted: Stretch[]
}

/** Stretches that lie close to one another are read in one go: a conversation that was often rewound has many. */
function together(stretches: readonly Stretch[]): Reading[] {
  const all: Reading[] = []
  for (const stretch of stretches) {
    const [no, from, upto] = stretch
    const last = all.at(-1)
    if (last !== undefined && last.no === no && from > last.upto && from - last.upto <= gapMax) {
      last.upto = upto
      last.wanted.push(stretch)
    } else all.push({ no, from, upto, wanted: [stretch] })
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
