import type { Json } from '../../../json/value.ts'
import { isoTime } from '../../log/identity.ts'
import { floorOf, stepAbove } from '../../log/past/place.ts'
import { type Asking, ask, askRow } from '../../log/questions.ts'
import { type Refusal, refuse } from '../../log/refusal.ts'
import { roots } from '../../log/tables.ts'
import { stateStream } from '../facts.ts'
import { keyNotFound } from '../mutation.ts'
import { aboutState, type VersionMade } from '../questions.ts'
import { readChain } from './past.ts'

/** A value above this is left out of a list: whoever wants it reads it at its place. */
const shownBytesMax = 4096

/** Versions of one key, newest first. */
export interface VersionPage {
  readonly versions: readonly VersionMade[]
  readonly hasMore: boolean
  /** The version below which the past was compacted, where the page ends there. */
  readonly compactedBefore: number | undefined
  /** When the key goes by itself, or went before the log says so. */
  readonly expiresAt: number | undefined
}

interface Wanted {
  readonly key: string
  readonly limit: number
  /** Only versions below this one. */
  readonly before?: number | undefined
  /** Only versions up to this place in the log. */
  readonly upTo?: number | undefined
  /** With what was done to make each of them. */
  readonly explained?: boolean
}

/** One page costs the same for a key with ten versions or a million: no version is read that is not on it. */
export function* readVersions(root: number, wanted: Wanted): Asking<VersionPage | Refusal> {
  const { key, limit, before, upTo = Number.MAX_SAFE_INTEGER } = wanted
  const last = before === undefined ? upTo : Math.min(upTo, yield* placeBefore(root, key, before))
  const question = wanted.explained ? aboutState.reasons_made : aboutState.versions_made
  const found = yield* ask(question, root, key, last, limit + 1, shownBytesMax)
  const floor = found[0] === undefined ? yield* floorOf(root, stateStream) : (found[0].floor ?? 0)
  const lost = found[0] === undefined || found[0].seq <= floor ? yield* goneBelow(root, wanted, floor) : undefined
  if (lost !== undefined) return lost
  // What lies below the newest version at the floor was left only because later ones build on it.
  const base = found.findIndex(({ seq }) => seq <= floor)
  const kept = base < 0 ? found : found.slice(0, base + 1)
  const versions = kept.slice(0, limit)
  const end = base >= 0 && base < limit ? versions.at(-1)?.version : undefined
  const compactedBefore = end !== undefined && end > 1 ? end : undefined
  const expiresAt = found[0]?.expires_at ?? undefined
  return { versions, hasMore: kept.length > limit, compactedBefore, expiresAt }
}

/** The last place at which the key was below a version. */
function* placeBefore(root: number, key: string, version: number): Asking<number> {
  const head = yield* askRow(roots, root)
  const [place] = yield* ask(aboutState.place_of_key_version, root, stepAbove(head?.seq ?? 0), key, version)
  return place?.seq ?? 0
}

/** Why a page that begins at or below the floor cannot be shown, if so. */
function* goneBelow(root: number, wanted: Wanted, floor: number): Asking<Refusal | undefined> {
  const { key, before, upTo = Number.MAX_SAFE_INTEGER } = wanted
  const [newest] = yield* ask(aboutState.key_at, root, key, upTo)
  if (newest === undefined) return keyNotFound(key)
  if (before === undefined) return undefined
  const [base] = yield* ask(aboutState.key_at, root, key, floor)
  if (base === undefined || base.version === 1 || before > base.version) return undefined
  const message = `The versions of ${JSON.stringify(key)} before ${base.version} were compacted.`
  const first = base.version + 1
  return refuse('compacted', message, `Ask for those before ${first} or later.`, { floor, before: first })
}

/** What a key was: its value, or why there is none to be shown. */
type ShownValue = { value: Json } | { deleted: true } | { value_omitted: true; change?: Json }

/** One version as it is listed. */
export type VersionListed = ShownValue & {
  version: number
  seq: number
  type: string
  updated_at: string
  updated_by: string | null
  session_name: string | null
  actor: string
  request: string | null
  cause: Json
}

/** When a key went by itself, where the log does not say so yet: what is listed of it is of a key that reads as gone. */
export function expiredUnnoticed({ expiresAt }: Pick<VersionPage, 'expiresAt'>, now: number): { expired_at?: string } {
  return expiresAt === undefined || expiresAt > now ? {} : { expired_at: isoTime(expiresAt) }
}

export function* showVersions(root: number, key: string, { versions }: VersionPage): Asking<VersionListed[]> {
  const listed: VersionListed[] = []
  for (const made of versions)
    listed.push(listedWith(made.prior === 0 ? wholeOf(made) : yield* madeOf(root, key, made), made))
  return listed
}

function listedWith(shown: ShownValue, made: VersionMade): VersionListed {
  return {
    version: made.version,
    seq: made.seq,
    type: made.type,
    ...shown,
    updated_at: isoTime(made.at),
    updated_by: made.by,
    session_name: made.by_name,
    actor: made.actor,
    request: made.request,
    cause: made.cause === null ? null : (JSON.parse(made.cause) as Json),
  }
}

/** A version that was written whole. A value that is too long was not read. */
function wholeOf({ kind, body }: VersionMade): ShownValue {
  if (kind === 'gone') return { deleted: true }
  return body === null ? { value_omitted: true } : { value: JSON.parse(body) as Json }
}

/** A version that was written as a difference. Where its value is too long, what was done to it is shown if that is short. */
function* madeOf(root: number, key: string, { seq, data }: VersionMade): Asking<ShownValue> {
  // A chain may be a megabyte: its size is asked for first.
  const [sum] = yield* ask(aboutState.chain_bytes, root, key, seq)
  if ((sum?.bytes ?? 0) <= shownBytesMax) return { value: JSON.parse(yield* readChain(root, key, seq)) as Json }
  return data === null ? { value_omitted: true } : { value_omitted: true, change: JSON.parse(data) as Json }
}
