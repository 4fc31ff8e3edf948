import { entryId } from '../../domain/journal/numbers.ts'
import { journalPart } from '../../domain/journal/part.ts'
import { aboutJournal, type NeedFound } from '../../domain/journal/questions.ts'
import { JournalSeen } from '../../domain/journal/seen.ts'
import { listOf } from '../../domain/journal/shown.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { ask } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { isPast, limit, past } from '../inputs.ts'
import { read, readStore } from '../operation.ts'

const shownUsual = 50

/** `agent` is the name of the session that it is about, where that is not the root. */
function showNeed(row: NeedFound) {
  const { need, kind, text, at, session, session_id, name, root_id, actions, about } = row
  return {
    id: entryId('need', need),
    kind,
    session_id,
    root_session_id: root_id,
    ...(session === 0 ? {} : { agent: name }),
    text,
    about,
    since: isoTime(at),
    actions: listOf(actions),
  }
}

export const needList = read({
  name: 'need.list',
  summary: 'List what waits for a person in one root, the oldest first.',
  command: { words: ['need ls'] },
  input: { limit, ...past },
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, journalPart)
    if (at instanceof Refusal) return at
    const rows = yield* new JournalSeen(root, at).needs(input.limit ?? shownUsual)
    return { needs: rows.map(showNeed) }
  },
})

export const needAll = readStore({
  name: 'need.all',
  summary: 'List what waits for you, in all roots, the oldest first.',
  command: { words: ['needs'], topic: 'Keep the journal' },
  input: { limit },
  snapshot: false,
  *read(input) {
    const rows = yield* ask(aboutJournal.needs_open_everywhere, input.limit ?? shownUsual)
    return { needs: rows.map(showNeed) }
  },
})
