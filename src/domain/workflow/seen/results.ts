import { type Asking, ask, askRows } from '../../log/questions.ts'
import { rowsAt } from '../../log/row-past.ts'
import { sessions } from '../../sessions/tables.ts'
import { aboutWorkflow, type ResultFound } from '../questions.ts'
import { agentProgress, agents } from '../tables.ts'

/** What the children of a session left, and all agents where it is the root: the newest first, now or as of an event. */
export function* resultsSeen(
  root: number,
  at: number | undefined,
  above: number,
  most: number,
): Asking<readonly ResultFound[]> {
  if (at === undefined) return yield* ask(aboutWorkflow.results_newest, root, most, above)
  const left = (yield* rowsAt(agentProgress, root, at)).filter(({ result }) => result !== null)
  if (left.length === 0) return []
  const there = new Map((yield* rowsAt(sessions, root, at)).map((row) => [row.no, row]))
  const ids = new Map((yield* askRows(agents, root)).map(({ no, id }) => [no, id]))
  return left
    .filter(({ no }) => above === 0 || there.get(no)?.parent_no === above)
    .sort((a, b) => Number(b.result_seq) - Number(a.result_seq))
    .slice(0, most)
    .map((row) => ({ ...row, id: ids.get(row.no) ?? '', status: there.get(row.no)?.status ?? '' }))
}
