import { blobNotFound, blobTooLarge, chunkBytes } from '../blobs/blob.ts'
import { blobChunks, blobs } from '../blobs/tables.ts'
import type { Deciding } from '../log/deciding.ts'
import { known, knownNow } from '../log/past/known.ts'
import { type Refusal, refuse } from '../log/refusal.ts'
import { type Ref, type RowsWithPast, rowOf } from '../log/rows.ts'
import { streams } from '../log/tables.ts'
import { contextStream, type MessageRecorded } from './facts.ts'
import { digestOfMessage, idOf } from './ids.ts'
import type { Piece, Prepared } from './prepare.ts'
import { type ContextIdRow, contextIds, conversations } from './tables.ts'
import { askIsVisible } from './visible/visible.ts'

/** The last number that an append took, or took the first time. */
export type Appended = { sequence_number: number; seq: number; repeated?: true }

/** What must be known to append a message to the conversation of a session. */
export function appendRefs(rows: RowsWithPast, no: number, { pieces }: Prepared, id: string | undefined): Ref[] {
  const ids = pieces.flatMap(({ calls, call }) => [
    ...calls.map((each) => idOf('c', each.id)),
    ...(call === undefined ? [] : [idOf('c', call), idOf('r', call)]),
  ])
  const named = [...ids, ...(id === undefined ? [] : [idOf('m', id)])]
  return [
    rowOf(streams, contextStream(no)),
    rowOf(conversations, no),
    ...named.map((each) => rowOf(contextIds, no, each)),
    ...named.flatMap((each) => visibilityRefs(rows, no, rows.get(contextIds, no, each))),
    ...pieces.flatMap((piece) => piece.blobs.map(({ hash }) => rowOf(blobs, hash))),
  ]
}

/** Whether what has the id is still visible; the events that say so are behind the log for long. */
function visibilityRefs(rows: RowsWithPast, no: number, row: ContextIdRow | undefined): readonly Ref[] {
  if (row === undefined) return []
  const visible = known(rows, askIsVisible(rows.root, no, row.version))
  return 'missing' in visible ? visible.missing : []
}

/** Appends a message, or says what it was answered the first time. */
export function append(on: Deciding, no: number, prepared: Prepared, id: string | undefined): Appended | Refusal {
  const takes = prepared.pieces.reduce((sum, { calls }) => sum + 1 + calls.length, 0)
  const before = appendedBefore(on, no, prepared.pieces, takes, id)
  if (before !== undefined) return before
  const refusal = checkIds(on, no, prepared.pieces) ?? keepBlobs(on, prepared)
  if (refusal) return refusal
  for (const [at, piece] of prepared.pieces.entries()) {
    const first = at === 0 ? { ...(id !== undefined && { id }), ...(takes > 1 && { takes }) } : {}
    record(on, no, piece, first)
  }
  return { sequence_number: versionOf(on, no), seq: on.rows.head()?.seq ?? 0 }
}

function versionOf(on: Deciding, no: number): number {
  return on.rows.get(streams, contextStream(no))?.version ?? 0
}

function record(on: Deciding, no: number, piece: Piece, first: Pick<MessageRecorded, 'id' | 'takes'>): void {
  const stream = contextStream(no)
  const { type, form, message, call, joined, blobs, redacted, calls } = piece
  const data: MessageRecorded = {
    ...first,
    ...(form !== undefined && { form }),
    message,
    ...(joined && { joined }),
    ...(blobs.length > 0 && { blobs }),
    ...(redacted.length > 0 && { redacted }),
  }
  if (type === 'tool_result') {
    const id = call as string
    const found = on.rows.get(contextIds, no, idOf('c', id)) as ContextIdRow
    on.record({ type, stream, data: { ...data, call: id, in: found.version } })
    return
  }
  const { version } = on.record({ type, stream, data })
  for (const { id, name, at } of calls) {
    on.record({ type: 'tool_call', stream, data: { call: id, name, in: version, at } })
  }
}

/** What was appended under the same id before, or as the result of the same call. */
function appendedBefore(
  on: Deciding,
  no: number,
  [first]: readonly Piece[],
  takes: number,
  id: string | undefined,
): Appended | Refusal | undefined {
  if (first === undefined) return undefined
  const name = id !== undefined ? idOf('m', id) : first.call === undefined ? undefined : idOf('r', first.call)
  const row = name === undefined ? undefined : on.rows.get(contextIds, no, name)
  if (row === undefined) return undefined
  const what = id !== undefined ? `Message ${JSON.stringify(id)}` : `The result of call ${JSON.stringify(first.call)}`
  const last = row.version + row.takes - 1
  if (row.digest !== digestOfMessage(first.message) || row.takes !== takes) {
    const message = `${what} was recorded as ${last} with other content.`
    const hint = 'Ids are unique in a conversation: use another one for a new message.'
    return refuse('idempotency_mismatch', message, hint, { sequence_number: last })
  }
  if (!isVisibleNow(on, no, row.version)) {
    const message = `${what} was recorded as ${last} and has been rewound since.`
    return refuse('already_exists', message, 'Append it under another id.', { sequence_number: last })
  }
  return { sequence_number: last, seq: row.seq + row.takes - 1, repeated: true }
}

function isVisibleNow({ rows }: Deciding, no: number, version: number): boolean {
  return knownNow(rows, askIsVisible(rows.root, no, version))
}

/** Calls have new ids, and each result belongs to a call that is there and has none. */
function checkIds(on: Deciding, no: number, pieces: readonly Piece[]): Refusal | undefined {
  const made = new Set<string>()
  for (const { calls, call } of pieces) {
    for (const { id } of calls) {
      if (made.has(`c/${id}`) || on.rows.get(contextIds, no, idOf('c', id)) !== undefined) return callKnown(id)
      made.add(`c/${id}`)
    }
    if (call === undefined) continue
    const row = on.rows.get(contextIds, no, idOf('c', call))
    if (row === undefined) return noSuchCall(call)
    if (!isVisibleNow(on, no, row.version)) return callHidden(call)
    if (made.has(`r/${call}`) || on.rows.get(contextIds, no, idOf('r', call)) !== undefined) return resultKnown(call)
    made.add(`r/${call}`)
  }
  return undefined
}

/** What is too large for an event goes into blobs in the same transaction; what was uploaded before must be there. */
function keepBlobs(on: Deciding, { pieces, contents }: Prepared): Refusal | undefined {
  const { root } = on.rows
  for (const { hash } of pieces.flatMap((piece) => piece.blobs)) {
    if (on.rows.get(blobs, hash) !== undefined) continue
    const bytes = contents.get(hash)
    if (bytes === undefined) return blobNotFound()
    if (bytes.length > on.limits.blobBytes) return blobTooLarge(on.limits.blobBytes)
    const content = on.newId()
    for (let no = 0; no * chunkBytes < bytes.length; no++) {
      on.keep(blobChunks, { content, no, chunk: bytes.slice(no * chunkBytes, (no + 1) * chunkBytes) })
    }
    on.keep(blobs, { root, hash, bytes: bytes.length, content, created_at: on.at })
  }
  return undefined
}

function callKnown(id: string): Refusal {
  const message = `A tool call ${JSON.stringify(id)} was already recorded in this conversation.`
  return refuse('already_exists', message, 'Give each call an id of its own.', { tool_call_id: id })
}

function noSuchCall(id: string): Refusal {
  const message = `There is no tool call ${JSON.stringify(id)} in this conversation.`
  const hint = 'Append the assistant message with the call first.'
  return refuse('invalid_input', message, hint, { path: 'tool_call_id', tool_call_id: id })
}

function callHidden(id: string): Refusal {
  const message = `The tool call ${JSON.stringify(id)} has been rewound.`
  return refuse('invalid_input', message, 'Its result has no place in the conversation any more.', {
    path: 'tool_call_id',
    tool_call_id: id,
  })
}

function resultKnown(id: string): Refusal {
  const message = `The tool call ${JSON.stringify(id)} already has a result.`
  return refuse('already_exists', message, 'A call has one result.', { tool_call_id: id })
}
