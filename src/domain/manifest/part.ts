import type { Event } from '../log/event.ts'
import { checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import type { Limits } from '../log/limits.ts'
import type { ForeignFacts, Part } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { checkCount } from '../log/text/room.ts'
import { buildCheckpoints } from '../plan/tables.ts'
import { evolveManifest, manifestOf } from './evolve.ts'
import { type CommitAdded, type ManifestFact, manifestStream } from './facts.ts'
import { manifestBodies } from './members.ts'
import { artifacts, commits, manifests } from './tables.ts'

type ManifestEvent = Event & ManifestFact

/** Whether a root could have recorded this of what it is tied to. */
const foreign: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as ManifestEvent
    const refusal = checkNoKey(event) ?? checkBody(manifestBodies, event, limits)
    if (refusal !== undefined || event.type === 'git_changed') return refusal
    return event.type === 'commit_added'
      ? checkCommit(rows, event.data, limits)
      : checkArtifact(rows, event.data, limits)
  },
}

function checkCommit(rows: Rows, { sha, checkpoint }: CommitAdded, limits: Limits): Refusal | undefined {
  if (rows.get(commits, sha) !== undefined) return impossible(`The commit ${sha} was recorded before.`)
  if (checkpoint !== undefined && rows.get(buildCheckpoints, checkpoint) === undefined)
    return impossible(`There is no build checkpoint ${checkpoint}.`)
  return checkCount(limits, 'commits', manifestOf(rows).commits, 'commits')
}

function checkArtifact(rows: Rows, { name }: { name: string }, limits: Limits): Refusal | undefined {
  const isNew = rows.get(artifacts, name) === undefined
  return isNew ? checkCount(limits, 'artifacts', manifestOf(rows).artifacts, 'artifacts') : undefined
}

/** What a root is tied to outside of its log. */
export const manifestPart: Part = {
  name: 'manifest',
  owns: (stream) => stream === manifestStream,
  tables: [manifests, commits, artifacts],
  evolve: evolveManifest,
  bodies: 'kept',
  secrets: 'refuse',
  foreign,
}
