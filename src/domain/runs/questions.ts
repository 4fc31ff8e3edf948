import { question, questions } from '../log/questions.ts'
import { atMost, columnsOf } from '../log/sql/text.ts'
import { type SittingRow, sittings } from './tables.ts'

function newest(condition = ''): string {
  return `SELECT ${columnsOf(sittings)} FROM sittings WHERE root = $1 ${condition} ORDER BY sitting DESC ${atMost(2)}`
}

/** About runs. */
export const aboutRuns = questions({
  sittings_newest: question<SittingRow>(newest()),
  sittings_of: question<SittingRow>(newest('AND no = $3')),
})
