import { lastVersion } from '../../domain/conversations/cut.ts'
import { contextStream } from '../../domain/conversations/facts.ts'
import { aboutConversations } from '../../domain/conversations/questions.ts'
import { resolved } from '../../domain/conversations/visible/left.ts'
import { countOf } from '../../domain/conversations/visible/stretches.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { flag, integer, optional } from '../../domain/log/input-schema.ts'
import { known, knownNow } from '../../domain/log/past/known.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import { change, type ForkMade, type ForkWanted } from '../operation.ts'
import { checkRoom, creatingRefs, recordCreated } from '../sessions/create.ts'
import { visibleCut } from './rewind.ts'

/** The conversation as it is to be copied: up to a point, or to its end; with how much that is. */
function* source(root: number, no: number, point: number | undefined) {
  const cut = yield* visibleCut(root, no, point ?? (yield* lastVersion(root, no)))
  return cut instanceof Refusal ? cut : { ...cut, copied: countOf(yield* resolved(root, cut.leaves)) }
}

/** A copy of the whole root, as it was when the conversation had come to the point. */
function* whole(root: number, no: number, point: number | undefined): Asking<ForkWanted<Copied> | Refusal> {
  const cut = yield* source(root, no, point)
  if (cut instanceof Refusal) return cut
  const answer = (made: ForkMade) => ({ ...made, copied: cut.copied })
  if (point === undefined) return { at: undefined, no, answer }
  const [first] = cut.seq === 0 ? yield* ask(aboutConversations.context_events, root, contextStream(no), 0, 1) : []
  return { at: first === undefined ? cut.seq || undefined : first.seq - 1, no, answer }
}

type Copied = {
  session_id: string
  root_session_id: string
  copied: number
  /** Of a copy of the whole root: where it is from. */
  origin_session_id?: string
  at?: number
  status?: string
  ended_seq?: number
}

/** The messages into a new session beside the one they are from. */
function messagesOnly(on: Deciding, point: number | undefined): Copied | Refusal {
  const cut = knownNow(on.rows, source(on.rows.root, on.no, point))
  if (cut instanceof Refusal) return cut
  const { leaves, version, copied } = cut
  const from = on.session as SessionRow
  const refusal = checkRoom(on)
  if (refusal) return refusal
  const row = recordCreated(on, { topic: `Copy of ${from.name}`.slice(0, 500), parent: from.parent_no ?? 0 })
  on.record({
    type: 'context_copied',
    stream: contextStream(row.no),
    data: { from: from.no, upto: version, ...leaves },
  })
  return { session_id: row.id, root_session_id: on.rows.id, copied }
}

export const contextCopy = change({
  name: 'context.copy',
  summary: 'Copy a session as it was at a point of its conversation: its whole root, or its messages alone.',
  command: {
    words: ['copy'],
    positional: ['session'],
    topic: 'Conversations',
    examples: ['cairn copy 3f9a1c0b --to-point 12', 'cairn copy 3f9a1c0b --context-only'],
  },
  reach: 'owner',
  startsGroup: true,
  input: {
    to_point: optional(integer('Up to this version of the conversation; default all of it.')),
    context_only: optional(flag('Only the messages, into a new session of the same root.')),
  },
  needs(input, rows, { no }) {
    const cut = known(rows, source(rows.root, no, input.to_point))
    const parent = rows.get(sessions, no)?.parent_no
    return [
      ...creatingRefs,
      ...(parent == null ? [] : [rowOf(sessions, parent)]),
      ...('missing' in cut ? cut.missing : []),
    ]
  },
  decide: (input, on): Copied | Refusal => messagesOnly(on, input.to_point),
  forks: ({ to_point, context_only }) => (context_only ? undefined : ({ root, no }) => whole(root, no, to_point)),
})
