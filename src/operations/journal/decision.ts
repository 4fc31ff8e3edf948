import { decisionKinds, journalStream } from '../../domain/journal/facts.ts'
import { journalOf, journalRefs } from '../../domain/journal/journal.ts'
import { alternativeGiven, entry } from '../../domain/journal/members.ts'
import { entryId } from '../../domain/journal/numbers.ts'
import { decisions } from '../../domain/journal/tables.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { alsoCalled, flag, oneOf, optional } from '../../domain/log/input-schema.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { prose, some } from '../../domain/log/text/entries.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { checkEntries, noEntry, numberOf } from './changing.ts'

/** What is said of most decisions, where nobody says which kind it is. */
const kindUsual = 'architecture'

function checkSuperseded(on: Deciding, supersedes: number | undefined): Refusal | undefined {
  if (supersedes === undefined) return undefined
  const row = on.rows.get(decisions, supersedes)
  if (row === undefined) return noEntry('decision', supersedes, 'decision.list')
  if (row.superseded_by === null) return undefined
  const [id, by] = [entryId('decision', supersedes), entryId('decision', row.superseded_by)]
  const message = `${id} was already superseded by ${by}.`
  return refuse('illegal_transition', message, `Supersede ${by} instead.`, { id, superseded_by: by })
}

export const decisionAdd = change({
  name: 'decision.add',
  summary: 'Record a decision: what, what it is about, and why; what else there was, and why not.',
  command: {
    words: ['decide'],
    positional: ['decision'],
    flags: { alternatives: 'alternative' },
    topic: 'Keep the journal',
    examples: [
      'cairn decide "Use SQLite" --context "Storage" --reason "One file, no server" --alternative "Postgres: needs a server"',
      'cairn decide "Use Postgres" --context "Storage" --reason "Two machines" --supersedes decision-001',
    ],
  },
  input: {
    decision: alsoCalled('text', prose('What was decided.')),
    context: prose('What it is about.'),
    reason: prose('Why.'),
    kind: optional(oneOf(`The kind of decision; default ${kindUsual}.`, decisionKinds)),
    alternatives: optional(some('What else there was: a text, or {text, why_not}.', alternativeGiven)),
    irreversible: optional(flag('It cannot be taken back.')),
    supersedes: optional(entry('decision', 'The decision that this one takes the place of.')),
  },
  needs: ({ supersedes }) => [
    ...journalRefs,
    ...(supersedes === undefined ? [] : [rowOf(decisions, numberOf('decision', supersedes))]),
  ],
  decide(input, on) {
    const { decision: text, context, reason, kind = kindUsual, alternatives, irreversible = false } = input
    const supersedes = input.supersedes === undefined ? undefined : numberOf('decision', input.supersedes)
    const refusal = mayWrite(on) ?? checkEntries(on, 'decisions') ?? checkSuperseded(on, supersedes)
    if (refusal) return refusal
    const decision = journalOf(on.rows).decisions + 1
    const said = { decision, kind, text, context, reason, reversible: !irreversible }
    const data = { ...said, ...(alternatives && { alternatives }), ...(supersedes && { supersedes }) }
    const { seq } = on.record({ type: 'decision_made', stream: journalStream, data })
    const superseded = supersedes === undefined ? {} : { supersedes: entryId('decision', supersedes) }
    return { id: entryId('decision', decision), ...superseded, seq }
  },
})
