import type { LeaseQuestions } from '../../domain/leases/questions.ts'
import { joinSession, type Text } from './text.ts'

/** About exclusive rights. */
export const leaseQuestions = {
  impossible_leases: `SELECT r.id, v.name FROM leases v JOIN roots r ON r.root = v.root ${joinSession('v.root', 'v.session_no')}
    WHERE s.id IS NULL OR v.epoch < 1 OR v.ttl < 1 OR v.expires_at < 0`,
} satisfies Record<keyof LeaseQuestions, Text>
