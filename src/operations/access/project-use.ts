import { projects } from '../../domain/access/tables.ts'
import type { SessionRow } from '../../domain/sessions/tables.ts'
import { project } from '../inputs.ts'
import { change } from '../operation.ts'

export const projectUse = change({
  name: 'project.use',
  summary: 'Make a session the default in a working directory.',
  command: { words: ['use'], positional: ['session'], topic: 'Start', examples: ['cairn use 3f9a1c0b'] },
  reach: 'owner',
  input: { project: project('The working directory.') },
  needs: () => [],
  decide(input, on) {
    const session = on.session as SessionRow
    on.keep(projects, { dir: input.project, session: session.id, updated_at: on.at })
    return { session_id: session.id, root_session_id: on.rows.id, slug: session.slug, project_dir: input.project }
  },
})
