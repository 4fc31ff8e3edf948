import type { RootRow } from '../log/tables.ts'
import type { LeaseRow } from './tables.ts'

/** What the store can be asked about exclusive rights. */
export interface LeaseQuestions {
  impossible_leases: Pick<LeaseRow, 'name'> & Pick<RootRow, 'id'>
}

declare module '../log/questions.ts' {
  interface Questions extends LeaseQuestions {}
}
