import { journalPart } from '../../domain/journal/part.ts'
import { JournalSeen, SessionsNamed } from '../../domain/journal/seen.ts'
import { showBlocker, showDecision } from '../../domain/journal/shown.ts'
import { flag, optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { isPast, limit, past } from '../inputs.ts'
import { read } from '../operation.ts'

const shownUsual = 50

export const decisionList = read({
  name: 'decision.list',
  summary: 'List the decisions that hold, the newest first.',
  command: { words: ['decision ls'] },
  input: { all: optional(flag('Include superseded ones.')), limit, ...past },
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, journalPart)
    if (at instanceof Refusal) return at
    const { all = false, limit: most = shownUsual } = input
    const seen = new JournalSeen(root, at)
    const rows = yield* all ? seen.decisions(most) : seen.decisionsHolding(most)
    const names = new SessionsNamed(root)
    yield* names.know(rows)
    return { decisions: rows.map((row) => showDecision(row, names.idOf)) }
  },
})

export const blockerList = read({
  name: 'blocker.list',
  summary: 'List what is in the way, the newest first.',
  command: { words: ['blocker ls'] },
  input: { all: optional(flag('Include resolved ones.')), limit, ...past },
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, journalPart)
    if (at instanceof Refusal) return at
    const { all = false, limit: most = shownUsual } = input
    const seen = new JournalSeen(root, at)
    const rows = yield* all ? seen.blockers(most) : seen.blockersOpen(most)
    const names = new SessionsNamed(root)
    yield* names.knowNumbers(rows.flatMap(({ no, changed_by }) => [no, changed_by]))
    return { blockers: rows.map((row) => showBlocker(row, names.idOf)) }
  },
})
