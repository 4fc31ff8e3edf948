import type { Part } from '../log/part.ts'
import { evolveJournal } from './evolve.ts'
import { journalStream } from './facts.ts'
import { foreignJournal } from './foreign.ts'
import {
  blockers,
  decisions,
  implementations,
  journalFiles,
  journalNotes,
  journalQuestions,
  journals,
  needs,
  nextActions,
  verifications,
} from './tables.ts'

/** Where the work of a root stands, why it is so, what is in the way and what comes next. */
export const journalPart: Part = {
  name: 'journal',
  owns: (stream) => stream === journalStream,
  tables: [
    journals,
    nextActions,
    decisions,
    blockers,
    needs,
    journalQuestions,
    journalFiles,
    implementations,
    journalNotes,
    verifications,
  ],
  evolve: evolveJournal,
  bodies: 'kept',
  secrets: 'refuse',
  foreign: foreignJournal,
}
