import { question, questions } from '../log/questions.ts'
import { atMost, columnsOf, joinSession } from '../log/sql/text.ts'
import { type ProjectRow, projects, type TokenRow, tokens } from './tables.ts'

/** A token with the ids of the session it is bound to and of the root of that. */
export type TokenShown = TokenRow & { session: string | null; root_id: string | null }

const token = `SELECT ${columnsOf(tokens, 'v.')}, s.id AS session, r.id AS root_id FROM tokens v
  ${joinSession('v.root', 'v.session_no')} LEFT JOIN roots r ON r.root = v.root`

/** About who may use the store, and the directories of this machine. */
export const aboutAccess = questions({
  token_by_id: question<TokenShown>(`${token} WHERE v.id = $1`),
  // By its name, or by either end of its id, after tok_ too; or by the beginning of the last eight, which people are shown.
  tokens_meant:
    question<TokenShown>(`${token} WHERE v.id = $1 OR v.name = $1 OR substr(v.id, 1, $2) = $1 OR substr(v.id, 5, $2) = $1
    OR substr(v.id, length(v.id) - $2 + 1) = $1 OR substr(v.id, length(v.id) - 7, $2) = $1 ORDER BY v.id LIMIT 11`),
  tokens_named: question<Pick<TokenRow, 'id' | 'expires_at'>>('SELECT id, expires_at FROM tokens WHERE name = $1'),
  tokens_newest_first: question<TokenShown>(`${token} WHERE v.id < $1 ORDER BY v.id DESC ${atMost(2)}`),
  tokens_of_root: question<Pick<TokenRow, 'id'>>('SELECT id FROM tokens WHERE root = $1'),
  impossible_projects: question<ProjectRow>(`SELECT ${columnsOf(projects)} FROM projects
    WHERE session IS NOT NULL AND session NOT IN (SELECT id FROM sessions)`),
})
