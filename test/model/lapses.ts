// Keys that go by themselves: the log says so before whatever is asked of them next, or when their session ends.
import { hasExpired, newest, type Obj, put, type Root, record, type Session } from './root.ts'

/** Ends all keys whose time is over, before somebody is told a version: it has moved by that. */
export function settle(root: Root): void {
  const [first] = root.sessions
  for (const key of [...root.keys.keys()].sort()) {
    const version = newest(root, key)
    if (version?.value === undefined || !hasExpired(root, version) || first === undefined) continue
    const fact = { stream: 'state', type: 'lapsed', data: { reason: 'expired' }, actor: 'cairn' }
    record(root, first, fact, {}, key)
    put(root, key, undefined, first)
  }
}

/** Ends those of these keys whose time is over. */
export function lapseExpired(root: Root, session: Session, keys: readonly string[], input: Obj): void {
  for (const key of [...keys].sort()) {
    const version = newest(root, key)
    if (version?.value !== undefined && hasExpired(root, version)) lapse(root, session, key, 'expired', input)
  }
}

/** Ends these keys with the session they belong to. */
export function lapseOrphaned(root: Root, session: Session, keys: readonly string[], input: Obj): void {
  for (const key of keys) {
    if (newest(root, key)?.value !== undefined) lapse(root, session, key, 'session_ended', input)
  }
}

function lapse(root: Root, session: Session, key: string, reason: string, input: Obj): void {
  record(root, session, { stream: 'state', type: 'lapsed', data: { reason } }, input, key)
  put(root, key, undefined, session)
}
