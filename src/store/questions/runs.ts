import type { RunQuestions } from '../../domain/runs/questions.ts'
import { sittings } from '../../domain/runs/tables.ts'
import { atMost, columnsOf, type Text } from './text.ts'

function newest(condition = ''): string {
  return `SELECT ${columnsOf(sittings)} FROM sittings WHERE root = $1 ${condition} ORDER BY sitting DESC ${atMost(2)}`
}

/** About runs. */
export const runQuestions = {
  sittings_newest: newest(),
  sittings_of: newest('AND no = $3'),
} satisfies Record<keyof RunQuestions, Text>
