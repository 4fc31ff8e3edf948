import type { Part, Problem } from '../log/part.ts'
import { type Asking, ask } from '../log/questions.ts'
import { aboutAccess } from './questions.ts'
import { projects, rootProjects, tokens } from './tables.ts'

/** Who may use the store, and which work belongs to which directory of this machine: plain rows, of which no event tells. */
export const accessPart: Part = {
  name: 'access',
  owns: () => false,
  tables: [tokens, projects, rootProjects],
  evolve: {},
  bodies: 'kept',
  secrets: 'refuse',
  *checks(): Asking<Problem[]> {
    const impossible = yield* ask(aboutAccess.impossible_projects)
    const what = 'means a session that is not there'
    return impossible.map(({ dir, session }) => ({ root: session ?? '', where: `projects ${dir}`, what }))
  },
}
