import type { Json } from '../../../json/value.ts'
import { isoTime } from '../../log/identity.ts'
import { type Asking, ask } from '../../log/questions.ts'
import { Refusal } from '../../log/refusal.ts'
import { keyNotFound } from '../mutation.ts'
import { aboutState, type VersionMade } from '../questions.ts'
import { readVersions, type VersionPage } from './history.ts'

/** Characters of a value that fit into the line that says what was done. */
const lineChars = 80

/** Events that give a key its value whatever it held; all others build on it. */
const wholeTypes: readonly string[] = ['session_created', 'init', 'full_replace', 'set']

/** The events a value comes from, newest first: back to the one that set it whole, and the deletion before that. */
export type Reasons = Omit<VersionPage, 'compactedBefore'>

export function* reasonsOf(root: number, key: string, limit: number, at?: number): Asking<Reasons | Refusal> {
  const [newest] = yield* ask(aboutState.key_at, root, key, at ?? Number.MAX_SAFE_INTEGER)
  if (newest === undefined) return keyNotFound(key)
  const page = yield* readVersions(root, { key, limit: limit + 1, upTo: newest.seq, explained: true })
  if (page instanceof Refusal) return page
  const { versions, expiresAt } = page
  const whole = versions.findIndex(({ kind, type }) => kind === 'gone' || wholeTypes.includes(type))
  if (whole < 0) return { versions: versions.slice(0, limit), hasMore: versions.length > limit, expiresAt }
  const end = versions[whole + 1]?.kind === 'gone' ? whole + 2 : whole + 1
  return { versions: versions.slice(0, Math.min(end, limit)), hasMore: end > limit, expiresAt }
}

export function showReason(made: VersionMade) {
  return {
    seq: made.seq,
    version: made.version,
    type: made.type,
    did: deedOf(made),
    session_id: made.by,
    session_name: made.by_name,
    actor: made.actor,
    at: isoTime(made.at),
    request: made.request,
    cause: made.cause === null ? null : (JSON.parse(made.cause) as Json),
  }
}

/** What the event did to the key, in one line. A body that was removed or is long cannot be told. */
function deedOf(made: VersionMade): string {
  if (made.kind === 'gone') return made.type === 'delete' ? 'deleted it' : `deleted it (${made.type})`
  if (made.type === 'set') return `set it to ${valueIn(made)}`
  if (made.type === 'session_created' || made.type === 'init') return `started it as ${valueIn(made)}`
  if (made.type === 'full_replace') return `replaced the document, with it as ${valueIn(made)}`
  if (made.type === 'increment') return `${dataIn(made, 'delta', 'added')}, which made ${valueIn(made)}`
  if (made.type === 'append') return dataIn(made, 'items', 'appended')
  if (made.type === 'patch') return dataIn(made, 'patch', 'merged')
  return made.data === null ? made.type : `${made.type} ${cut(made.data)}`
}

function valueIn(made: VersionMade): string {
  return made.body === null ? 'a long value' : cut(made.body)
}

function dataIn(made: VersionMade, member: string, verb: string): string {
  if (made.data === null) return verb
  const data = JSON.parse(made.data) as { [name: string]: Json }
  return `${verb} ${cut(JSON.stringify(data[member] ?? data))}`
}

function cut(text: string): string {
  return text.length <= lineChars ? text : `${text.slice(0, lineChars).toWellFormed()}…`
}
