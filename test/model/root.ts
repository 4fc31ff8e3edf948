// A root as the model sees it: its log, its sessions, and every version of each key, in plain maps and lists.
import type { Json } from '../../src/json/value.ts'
import type { Inner } from './crdt.ts'

export type Obj = { [name: string]: Json }

/** One call of an operation, `noun.verb`. Sessions are always named by their id. */
export interface Call {
  readonly op: string
  readonly input: Obj
}

/** What makes a key go by itself: the end of a session, by its number, or a time. */
export interface Lapse {
  readonly owner?: number | undefined
  readonly until?: number | undefined
}

/** One version of a key; without a value it is a deletion. */
export interface Version extends Lapse {
  readonly value: Json | undefined
  readonly version: number
  readonly seq: number
  readonly by: string
  /** Of a conflict-free kind. */
  readonly inner?: Inner | undefined
}

export type Present = Version & { readonly value: Json }

export interface Session {
  readonly id: string
  readonly no: number
  readonly parent: Session | undefined
  readonly name: string
  readonly slug: string
  readonly created: number
  status: string
  reason: string | null
  updated: number
}

export interface Logged {
  readonly session: Session
  readonly stream: string
  readonly type: string
  readonly key: string | null
  readonly data: Obj
  readonly request: string | null
  /** `library` unless given. */
  readonly actor?: string
}

/** Who has a lease; nobody after it was given back. */
export interface Lease {
  readonly epoch: number
  /** Known only from the answer to the claim. */
  readonly token: string
  readonly holder: string | null
  readonly session: string
  /** No heartbeat came for too long. */
  readonly ranOut: boolean
}

/** A schema of a key, or of all keys that begin like it. */
export interface Held {
  readonly target: string
  readonly prefix: boolean
  readonly schema: Json
  readonly by: string
  readonly seq: number
}

export interface Root {
  readonly id: string
  readonly sessions: Session[]
  /** Event n is at place n - 1. */
  readonly log: Logged[]
  /** All versions of each key, oldest first. */
  readonly keys: Map<string, Version[]>
  readonly leases: Map<string, Lease>
  schemas: readonly Held[]
  /** The event since which there is state; 0 while there is none. */
  started: number
  /** The time, in milliseconds that were made to pass. */
  readonly clock: { readonly now: number }
}

/** What an operation answers. `actual` is looked at only where several answers are right. */
export type Perform = (root: Root, session: Session, input: Obj, actual: Obj) => Obj

const ended = ['completed', 'failed', 'cancelled']

/** Stands for the time of an event, which the first answer that shows it tells. No value has such a character. */
export const timeOf = (root: Root, seq: number) => `\u0001${root.id}/${seq}`
export const no = (code: string, details: Obj = {}): Obj => ({ refused: code, ...details })
export const isRefused = (answer: Obj) => Object.hasOwn(answer, 'refused')
export const hasEnded = ({ status }: Session) => ended.includes(status)
export const bytesOf = (value: Json) => Buffer.byteLength(JSON.stringify(value))

/** Both stores sort names by code points. */
export const byCodePoints = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

export function record(
  root: Root,
  session: Session,
  fact: Pick<Logged, 'stream' | 'type' | 'data' | 'actor'>,
  input: Obj,
  key?: string,
): number {
  const request = typeof input.request_id === 'string' ? input.request_id : null
  root.log.push({ session, key: key ?? null, request, ...fact })
  if (fact.stream === 'state' && root.started === 0) root.started = root.log.length
  return root.log.length
}

/** What a key has besides its value. */
type Traits = Lapse & Pick<Version, 'inner'>

export function put(root: Root, key: string, value: Json | undefined, by: Session, traits: Traits = {}): number {
  const versions = root.keys.get(key) ?? []
  const version = (versions.at(-1)?.version ?? 0) + 1
  versions.push({ value, version, seq: root.log.length, by: by.id, ...traits })
  root.keys.set(key, versions)
  return version
}

export const newest = (root: Root, key: string) => root.keys.get(key)?.at(-1)

export const stateVersion = (root: Root, at = root.log.length) =>
  root.log.slice(0, at).filter(({ stream }) => stream === 'state').length

const isPresent = (version: Version | undefined): version is Present => version?.value !== undefined

/** The state as the log has it at an event: keys in any order. */
export function stateAt(root: Root, at: number): Map<string, Present> {
  const found = new Map<string, Present>()
  for (const [key, versions] of root.keys) {
    const version = versions.findLast(({ seq }) => seq <= at)
    if (isPresent(version)) found.set(key, version)
  }
  return found
}

export const hasExpired = (root: Root, { until = Number.POSITIVE_INFINITY }: Version) => until <= root.clock.now

/** The state as everybody reads it now: what has expired is gone, whether or not the log says so. */
export function stateNow(root: Root, at = root.log.length): Map<string, Present> {
  return new Map([...stateAt(root, at)].filter(([, version]) => !hasExpired(root, version)))
}

export const documentOf = (state: ReadonlyMap<string, Present>): Obj =>
  Object.fromEntries([...state].map(([key, { value }]) => [key, value]))

export function closed(root: Root, acting: Session): Obj | undefined {
  const over = [root.sessions[0] as Session, acting].find(hasEnded)
  return over && no('session_ended', { session_id: over.id, status: over.status })
}

/** Does several things, of which nothing is left when one of them is refused. */
export function together(root: Root, work: () => Obj): Obj {
  const { log, started } = root
  const before = log.length
  const done = work()
  if (!isRefused(done)) return done
  log.length = before
  root.started = started
  for (const [key, versions] of root.keys) {
    while ((versions.at(-1)?.seq ?? 0) > before) versions.pop()
    if (versions.length === 0) root.keys.delete(key)
  }
  return done
}

export const keyAnswer = (root: Root, key: string, { value, version, seq, by }: Present): Obj => ({
  key,
  value,
  version,
  updated_at: timeOf(root, seq),
  updated_by: by,
  seq,
})
