import { projects } from '../../domain/access/tables.ts'
import { text } from '../../domain/log/input-schema.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { change } from '../operation.ts'

export const projectUse = change({
  name: 'project.use',
  summary: 'Make a session the one that is meant in a working directory when none is named.',
  command: { words: ['use'], positional: ['session'] },
  reach: 'owner',
  input: { project: text('The working directory.', { max: 4096 }) },
  needs: () => [],
  decide(input, on) {
    const session = on.session as SessionRow
    on.keep(projects, { dir: input.project, session: session.id, updated_at: on.at })
    return { session_id: session.id, root_session_id: on.rows.id, slug: session.slug, project: input.project }
  },
})
