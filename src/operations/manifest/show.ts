import { pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { onlyRowThen, rowsAt, rowsThen } from '../../domain/log/row-past.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { roots } from '../../domain/log/tables.ts'
import { type ManifestRows, manifestFrom } from '../../domain/manifest/manifest.ts'
import { artifacts, commits, manifests } from '../../domain/manifest/tables.ts'
import { planPart } from '../../domain/plan/part.ts'
import { withFixed } from '../../domain/plan/phases.ts'
import { buildCheckpoints, phases } from '../../domain/plan/tables.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import { past } from '../inputs.ts'
import { read } from '../operation.ts'

/** All that the manifest of a root is made from, as it is or as it was after an event. */
export function* manifestRows(root: number, at: number | undefined): Asking<ManifestRows | undefined> {
  const then = at === undefined ? undefined : (yield* rowsAt(sessions, root, at)).find(({ no }) => no === 0)
  const session = at === undefined ? yield* askRow(sessions, root, 0) : then
  if (session === undefined) return undefined
  const head = yield* askRow(roots, root)
  const [last] = yield* ask(aboutLog.events_since, root, (at ?? head?.seq ?? 1) - 1, 1)
  return {
    session,
    phases: withFixed(root, session.type, yield* rowsThen(phases, root, at)),
    checkpoints: yield* rowsThen(buildCheckpoints, root, at),
    manifest: yield* onlyRowThen(manifests, root, at),
    commits: [...(yield* rowsThen(commits, root, at))].sort((a, b) => a.no - b.no),
    artifacts: [...(yield* rowsThen(artifacts, root, at))].sort((a, b) => (a.name < b.name ? -1 : 1)),
    updatedAt: last?.at ?? session.updated_at,
  }
}

export const manifestShow = read({
  name: 'manifest.show',
  summary: 'Show what the work is tied to: its phases, build checkpoints, git, commits and artifacts.',
  command: { words: ['manifest'] },
  input: past,
  snapshot: true,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, planPart)
    if (at instanceof Refusal) return at
    const rows = yield* manifestRows(root, at)
    return rows === undefined ? sessionRemoved() : manifestFrom(rows)
  },
})
