import type { SittingRow } from './tables.ts'

/** What the store can be asked about runs: the newest sittings of a root, and of one of its sessions. */
export interface RunQuestions {
  sittings_newest: SittingRow
  sittings_of: SittingRow
}

declare module '../log/questions.ts' {
  interface Questions extends RunQuestions {}
}
