import { isoTime } from '../../domain/log/identity.ts'
import { optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { rowsThen } from '../../domain/log/row-past.ts'
import { rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { checkCount } from '../../domain/log/text/room.ts'
import { manifestOf } from '../../domain/manifest/evolve.ts'
import { manifestStream } from '../../domain/manifest/facts.ts'
import { checkpoint, message, sha } from '../../domain/manifest/members.ts'
import { manifestPart } from '../../domain/manifest/part.ts'
import { type CommitRow, commits, manifests } from '../../domain/manifest/tables.ts'
import { isPast, past } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change, read } from '../operation.ts'
import { knownCheckpoint } from '../plan/checkpoints.ts'

function showCommit({ no, sha, message, checkpoint, recorded_at }: CommitRow) {
  return { no, sha, message, checkpoint, created_at: isoTime(recorded_at) }
}

export const commitAdd = change({
  name: 'commit.add',
  summary: 'Record a commit; one that was recorded before is left as it is.',
  command: {
    words: ['commit'],
    positional: ['sha'],
    examples: ["cairn commit 1a2b3c4 -m 'Add the parser' --checkpoint 2"],
  },
  input: { sha, message, checkpoint: optional(checkpoint) },
  needs: (input) => [rowOf(streams, manifestStream), rowOf(manifests), rowOf(commits, input.sha.toLowerCase())],
  decide({ sha: given, message: said, checkpoint: no }, on) {
    const id = given.toLowerCase()
    const known = on.rows.get(commits, id)
    const refusal =
      mayWrite(on) ?? (known ? undefined : checkCount(on.limits, 'commits', manifestOf(on.rows).commits, 'commits'))
    if (refusal) return refusal
    if (known) return { ...showCommit(known), added: false }
    const of = no === undefined ? undefined : knownCheckpoint(on, no)
    if (of instanceof Refusal) return of
    const data = { sha: id, message: said, ...(no !== undefined && { checkpoint: no }) }
    on.record({ type: 'commit_added', stream: manifestStream, data })
    return { ...showCommit(on.rows.get(commits, id) as CommitRow), added: true }
  },
})

export const commitList = read({
  name: 'commit.list',
  summary: 'List the commits that were recorded.',
  command: { words: ['commit ls'] },
  input: past,
  snapshot: isPast,
  *read(input, { root }) {
    const at = yield* pastPlace(root, input, manifestPart)
    if (at instanceof Refusal) return at
    const rows = [...(yield* rowsThen(commits, root, at))].sort((a, b) => a.no - b.no)
    return { commits: rows.map(showCommit) }
  },
})
