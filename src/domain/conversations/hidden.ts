import type { Erasure } from '../log/part.ts'
import { type Asking, ask, askRow, askRows } from '../log/questions.ts'
import { lastVersion } from './cut.ts'
import { contextStream, type MessageRecorded, type Stretch, type ToolCallRecorded } from './facts.ts'
import { idOf } from './ids.ts'
import { aboutConversations, type ContextLeaves, type ContextMessage } from './questions.ts'
import { type ContextIdRow, type ConversationRow, contextIds, conversations } from './tables.ts'
import { without } from './visible/stretches.ts'
import { askVisible } from './visible/visible.ts'

/** So much goes at a time: writers of the root wait no longer than that. */
const pageEvents = 2000
/** Versions that are read at once. */
const pageVersions = 500

/**
 * Messages that have been hidden since a time, as far as they are still here: no conversation of the root shows them, and none did after that
 * time. What a summary stands for is hidden by nothing: it stays readable for as long as the summary is.
 */
export function* hiddenMessages(root: number, since: number, isOwn: (seq: number) => boolean): Asking<Erasure> {
  const events: (ContextMessage & { stream: string })[] = []
  const ids: ContextIdRow[] = []
  const touched = yield* askRows(conversations, root)
  const shown = touched.length === 0 ? [] : yield* shownSince(root, touched, since)
  for (const { no } of touched) {
    const own = shown.filter(([of]) => of === no)
    for (const [, from, upto] of without([[no, 1, yield* lastVersion(root, no)]], own)) {
      for (let after = from - 1; after < upto && events.length < pageEvents; after += pageVersions) {
        const page = yield* ask(
          aboutConversations.context_events,
          root,
          contextStream(no),
          after,
          Math.min(upto, after + pageVersions),
        )
        const bodies = page.filter(({ seq, type, data }) => data !== null && isOwn(seq) && !type.startsWith('context_'))
        events.push(...bodies.map((event) => ({ ...event, stream: contextStream(no) })))
        for (const event of bodies) ids.push(...(yield* idsOf(root, no, event)))
      }
    }
  }
  return { events, rows: [{ table: contextIds, rows: ids }] }
}

/** All that a conversation of the root has shown since a time, with what its summaries stand for. */
function* shownSince(root: number, touched: readonly ConversationRow[], since: number): Asking<Stretch[]> {
  const leaves = new Map<number, readonly ContextLeaves[]>()
  const shown: Stretch[] = []
  for (const { no } of touched) {
    const version = yield* lastVersion(root, no)
    leaves.set(no, yield* ask(aboutConversations.context_leaves, root, contextStream(no), 0, version))
    shown.push(...(yield* askVisible(root, no, { version, seq: Number.MAX_SAFE_INTEGER })))
    for (const event of leaves.get(no) ?? []) if (event.at >= since) shown.push(...(yield* before(root, no, event)))
  }
  const opened = new Set<number>()
  for (let at = 0; at < shown.length; at++) {
    const [no, from, upto] = shown[at] as Stretch
    for (const event of leaves.get(no) ?? []) {
      const { seq, type, version } = event
      if (type !== 'context_compacted' || version < from || version > upto || opened.has(seq)) continue
      opened.add(seq)
      shown.push(...(yield* before(root, no, event)))
    }
  }
  return shown
}

/** What was visible just before an event that changed it. */
function before(root: number, no: number, { seq, version }: ContextLeaves): Asking<Stretch[]> {
  return askVisible(root, no, { version: version - 1, seq: seq - 1 })
}

/** The rows that an event made: without its body no replay makes them. */
function* idsOf(root: number, no: number, { seq, type, data }: ContextMessage): Asking<ContextIdRow[]> {
  const { id, call } = JSON.parse(data ?? '{}') as Partial<MessageRecorded & ToolCallRecorded>
  const kind = type === 'tool_call' ? 'c' : type === 'tool_result' ? 'r' : 'm'
  const named = kind === 'm' ? id : call
  const row = named === undefined ? undefined : yield* askRow(contextIds, root, no, idOf(kind, named))
  return row?.seq === seq ? [row] : []
}
