import { cutAt, lastVersion } from '../../domain/conversations/cut.ts'
import { contextStream, type Leaves } from '../../domain/conversations/facts.ts'
import { summaryCharsMax } from '../../domain/conversations/members.ts'
import { aboutConversations } from '../../domain/conversations/questions.ts'
import { redactMessage } from '../../domain/conversations/redaction.ts'
import { conversations } from '../../domain/conversations/tables.ts'
import { askSummedUp } from '../../domain/conversations/visible/summed-up.ts'
import { checkWriter, writerRefs } from '../../domain/conversations/writer.ts'
import { integer, optional, text } from '../../domain/log/input-schema.ts'
import { known, knownNow } from '../../domain/log/past/known.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'

/** System messages that open a conversation stay before the summary, unless a compaction begins with them. */
const openingMax = 8
/** Stretches that are left behind a summary. Only one far before the end of a conversation that was rewound often leaves more. */
const leftMax = 1024

interface Range {
  readonly from: number
  readonly upto: number
  /** What is visible afterwards. */
  readonly leaves: Leaves
}

/** The versions that a summary is to stand for. Both ends are places at which the conversation may be cut. */
function* rangeOf(root: number, no: number, asked: { from?: number; upto?: number }): Asking<Range | Refusal> {
  const from = asked.from ?? (yield* afterOpening(root, no))
  const last = yield* lastVersion(root, no)
  const upto = asked.upto ?? last
  if (from < 1 || from > upto) return noRange(from, upto)
  for (const end of [from - 1, upto]) {
    const cut = yield* cutAt(root, no, end)
    if (cut instanceof Refusal) return cut
  }
  const leaves = yield* askSummedUp(root, no, [from, upto], last)
  if (leaves === undefined) return noRange(from, upto)
  return leaves.visible.length > leftMax ? tooFarBack(upto) : { from, upto, leaves }
}

function* afterOpening(root: number, no: number): Asking<number> {
  const events = yield* ask(aboutConversations.context_events, root, contextStream(no), 0, openingMax)
  return events.find(({ type }) => type !== 'system_message')?.version ?? events.length + 1
}

function noRange(from: number, upto: number): Refusal {
  const message = `There is nothing to compact from ${from} to ${upto}.`
  return refuse('invalid_input', message, 'Name a first and a last version of the conversation.', { from, upto })
}

function tooFarBack(upto: number): Refusal {
  const message = `Too much was rewound behind ${upto} for a summary to stand before it.`
  return refuse('invalid_input', message, 'Compact up to the end of the conversation.', { path: 'upto', upto })
}

export const contextCompact = change({
  name: 'context.compact',
  summary: 'Replace messages of a conversation by a summary; they stay readable.',
  command: {
    words: ['context compact'],
    positional: ['session'],
    examples: ['cairn context compact --summary @summary.md --upto 40'],
  },
  reach: 'subtree',
  startsGroup: true,
  input: {
    summary: { ...text('What stands for them from then on.', { max: summaryCharsMax }), isProse: true },
    from: optional(integer('The first version; default the first after the opening system messages.')),
    upto: optional(integer('The last version; default the end of the conversation.')),
  },
  needs(input, rows, { no }) {
    const range = known(rows, rangeOf(rows.root, no, input))
    return [
      ...writerRefs(rows, no),
      rowOf(streams, contextStream(no)),
      rowOf(conversations, no),
      ...('missing' in range ? range.missing : []),
    ]
  },
  decide(input, on) {
    const { no, rows } = on
    const session = on.session as SessionRow
    const refusal = mayWrite(on) ?? checkWriter(on, session)
    if (refusal) return refusal
    const range = knownNow(rows, rangeOf(rows.root, no, input))
    if (range instanceof Refusal) return range
    const { from, upto, leaves } = range
    const summary = String(redactMessage({ summary: input.summary }).message.summary)
    const data = { summary, from, upto, ...leaves }
    const { version } = on.record({ type: 'context_compacted', stream: contextStream(no), data })
    return { session_id: session.id, sequence_number: version, from, upto, seq: rows.head()?.seq ?? 0 }
  },
})
