import { ask } from '../../domain/log/questions.ts'
import type { Status } from '../../domain/sessions/lifecycle.ts'
import { aboutWorkflow } from '../../domain/workflow/questions.ts'
import { cursor, limit } from '../inputs.ts'
import { readStore } from '../operation.ts'

/** Only the runner asks it: what it is to supervise. */
export const workflowList = readStore({
  name: 'workflow.list',
  summary: 'List the roots whose workflow has not ended.',
  command: { words: [] },
  input: { limit, cursor: cursor('sess_') },
  snapshot: false,
  *read({ limit: most = 50, cursor: after = '' }) {
    const rows = yield* ask(aboutWorkflow.unfinished_workflows, after, most + 1)
    const page = rows.slice(0, most)
    return {
      workflows: page.map(({ id, status, project }) => ({
        root_session_id: id,
        status: status as Status,
        project_dir: project,
      })),
      next_cursor: rows.length > most ? (page.at(-1)?.id ?? null) : null,
    }
  },
})
