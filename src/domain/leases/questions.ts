import { question, questions } from '../log/questions.ts'
import { joinSession } from '../log/sql/text.ts'
import type { RootRow } from '../log/tables.ts'
import type { LeaseRow } from './tables.ts'

/** About exclusive rights. */
export const aboutLeases = questions({
  impossible_leases: question<
    Pick<LeaseRow, 'name'> & Pick<RootRow, 'id'>
  >(`SELECT r.id, v.name FROM leases v JOIN roots r ON r.root = v.root ${joinSession('v.root', 'v.session_no')}
    WHERE s.id IS NULL OR v.epoch < 1 OR v.ttl < 1 OR v.expires_at < 0`),
})
