import { isoTime } from '../../domain/log/identity.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { rowsThen } from '../../domain/log/row-past.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { checkCount } from '../../domain/log/text/room.ts'
import { manifestOf } from '../../domain/manifest/evolve.ts'
import { manifestStream } from '../../domain/manifest/facts.ts'
import { artifactName, artifactPath } from '../../domain/manifest/members.ts'
import { manifestPart } from '../../domain/manifest/part.ts'
import { artifacts, manifests } from '../../domain/manifest/tables.ts'
import { isPast, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'

export const artifactAdd = change({
  name: 'artifact.add',
  summary: 'Name a file that the work has made; the same name again means another file.',
  command: {
    words: ['artifact add'],
    positional: ['name', 'path'],
    examples: ['cairn artifact add report reports/final.md'],
  },
  input: { name: artifactName, path: artifactPath },
  needs: ({ name }) => [rowOf(streams, manifestStream), rowOf(manifests), rowOf(artifacts, name)],
  decide({ name, path }, on) {
    const known = on.rows.get(artifacts, name)
    const full = known ? undefined : checkCount(on.limits, 'artifacts', manifestOf(on.rows).artifacts, 'artifacts')
    const refusal = mayWrite(on) ?? full
    if (refusal) return refusal
    const changed = known?.path !== path
    if (changed) on.record({ type: 'artifact_added', stream: manifestStream, data: { name, path } })
    return { name, path, changed }
  },
})

export const artifactList = read({
  name: 'artifact.list',
  summary: 'List the files that the work has made.',
  command: { words: ['artifact ls'] },
  input: past,
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, manifestPart)
    if (at instanceof Refusal) return at
    const rows = [...(yield* rowsThen(artifacts, root, at))].sort((a, b) => (a.name < b.name ? -1 : 1))
    return { artifacts: rows.map(({ name, path, recorded_at }) => ({ name, path, recorded_at: isoTime(recorded_at) })) }
  },
})
