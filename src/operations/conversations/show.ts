import type { Stretch } from '../../domain/conversations/facts.ts'
import { formOf } from '../../domain/conversations/forms/text.ts'
import { writeMessages } from '../../domain/conversations/forms/write.ts'
import { checkRead, entriesOf } from '../../domain/conversations/reading.ts'
import { type Messages, shownOf } from '../../domain/conversations/shown.ts'
import { type Form, forms } from '../../domain/conversations/stored.ts'
import { askVisible, type Point } from '../../domain/conversations/visible/visible.ts'
import { flag, integer, oneOf, optional } from '../../domain/log/input-schema.ts'
import { type Asking, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import type { Json } from '../../json/value.ts'
import { past } from '../inputs.ts'
import { read } from '../operation.ts'
import { pointMeant, pointMember } from './point.ts'
import { plainOf, rawOf } from './transcript.ts'

/** What is to be shown: what was visible then, or all that there was, after a version. */
function* wanted(
  root: number,
  no: number,
  point: Point,
  { all, since = 0 }: { all?: boolean | undefined; since?: number | undefined },
): Asking<{ visible: Stretch[]; shown: Stretch[] }> {
  const visible = yield* askVisible(root, no, point)
  const everything: Stretch[] = point.version === 0 ? [] : [[no, 1, point.version]]
  const chosen = all ? everything : visible
  return { visible, shown: since === 0 ? chosen : chosen.flatMap((each) => after(each, no, since)) }
}

/** What of a stretch comes after a version; what was brought in from elsewhere came before. */
function after([of, from, upto]: Stretch, no: number, since: number): Stretch[] {
  return of !== no || upto <= since ? [] : [[of, Math.max(from, since + 1), upto]]
}

/** Messages, and what belongs to them. */
type Written = { messages: Json[]; system?: Json; left_out?: Json }

function inForm(messages: Messages, form: Form): Written {
  const { messages: written, system, left_out } = writeMessages(messages.messages, form)
  return {
    messages: written,
    ...(system !== undefined && { system }),
    ...(left_out.length > 0 && { left_out: left_out as unknown as Json }),
  }
}

export const contextShow = read({
  name: 'context.show',
  summary: 'Show the conversation of a session: its messages now or at a point.',
  command: {
    words: ['context show'],
    positional: ['session'],
    topic: 'Conversations',
    examples: ['cairn context show', 'cairn context show 3f9a1c0b --point 12 --format anthropic --json'],
  },
  large: true,
  input: {
    point: pointMember,
    ...past,
    format: optional(
      oneOf('The form of the messages; default that of the provider they came from.', [...forms, 'raw', 'text']),
    ),
    all: optional(flag('Also what was rewound or compacted; with the format raw or text.')),
    since: optional(integer('Only what comes after this version of the conversation.')),
  },
  snapshot: true,
  *read(input, { root, no }) {
    const { format, all } = input
    if (all && format !== 'raw' && format !== 'text') return hiddenNeedsRaw()
    const point = yield* pointMeant(root, no, input)
    if (point instanceof Refusal) return point
    const session = yield* askRow(sessions, root, no)
    const { visible, shown } = yield* wanted(root, no, point, input)
    const tooMuch = yield* checkRead(root, shown)
    if (tooMuch) return tooMuch
    const isForPeople = format === 'raw' || format === 'text'
    const entries = yield* entriesOf(root, shown, isForPeople ? 'events' : 'messages')
    const messages = yield* shownOf(root, entries)
    const form = format ?? formOf(messages.messages) ?? 'openai'
    const answer: Written =
      form === 'raw'
        ? { messages: rawOf(entries, visible, messages) }
        : form === 'text'
          ? { messages: plainOf(entries, visible, messages) }
          : inForm(messages, form)
    return {
      session_id: session?.id ?? '',
      ...answer,
      last_sequence: point.version,
      format: form,
      ...(messages.left.length > 0 && { blobs: messages.left as unknown as Json }),
      ...(messages.absent > 0 && { absent: messages.absent }),
    }
  },
})

function hiddenNeedsRaw(): Refusal {
  const message = 'Hidden messages are shown only in the formats raw and text.'
  return refuse('invalid_input', message, 'Add `format: "text"` or `format: "raw"`, or leave out `all`.', {
    path: 'format',
  })
}
