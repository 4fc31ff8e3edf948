// Leases, and claims of keys, as the model keeps them.
import { closed, isRefused, type Lease, no, type Obj, type Perform, type Root, record, type Session } from './root.ts'

export const ttlMs = 24 * 3_600_000

const isHeld = ({ holder, ranOut }: Lease) => holder !== null && !ranOut

/** As after a long time: whoever held a lease of this root has lost it. */
export function runOut(root: Root): void {
  for (const [name, lease] of root.leases) root.leases.set(name, { ...lease, ranOut: lease.holder !== null })
}

function claim(root: Root, session: Session, input: Obj, actual: Obj): Obj {
  const name = String(input.name)
  const before = root.leases.get(name)
  if (before !== undefined && isHeld(before)) {
    return no('held_by_other', { name, holder: before.holder, holder_session_id: before.session })
  }
  if (before !== undefined && before.holder !== null) {
    record(root, session, { stream: 'lease', type: 'lease_lost', data: { name, epoch: before.epoch } }, input)
  }
  const epoch = (before?.epoch ?? 0) + 1
  const given = String(actual.token)
  const token = new RegExp(`^${epoch}\\.[0-9a-f]{32}$`).test(given) ? given : `${epoch}. and 32 hex digits`
  const holder = String(input.holder ?? session.name)
  const data = { name, epoch, holder, ttl_ms: ttlMs }
  record(root, session, { stream: 'lease', type: 'lease_claimed', data }, input)
  root.leases.set(name, { epoch, token, holder, session: session.id, ranOut: false })
  return { name, token, ttl_ms: ttlMs }
}

/** The refusal of whoever does not hold a lease with this token. */
export function fenced(root: Root, name: string, token: string): Obj | undefined {
  const lease = root.leases.get(name)
  if (lease?.token === token && isHeld(lease)) return undefined
  return no('fenced', { name, your_epoch: Number.parseInt(token, 10), current_epoch: lease?.epoch ?? 0 })
}

function heartbeat(root: Root, _session: Session, { name, token }: Obj): Obj {
  return fenced(root, String(name), String(token)) ?? { name: String(name), token: String(token), ttl_ms: ttlMs }
}

function release(root: Root, session: Session, input: Obj): Obj {
  const name = String(input.name)
  const token = String(input.token)
  const refusal = fenced(root, name, token)
  if (refusal) return refusal
  giveBack(root, session, name, input)
  return { name, token, released: true }
}

function giveBack(root: Root, session: Session, name: string, input: Obj): void {
  const lease = root.leases.get(name) as Lease
  record(root, session, { stream: 'lease', type: 'lease_released', data: { name, epoch: lease.epoch } }, input)
  root.leases.set(name, { ...lease, holder: null, ranOut: false })
}

/** A session that has ended holds nothing. */
export function releaseAllOf(root: Root, session: Session, ended: Session, input: Obj): void {
  const held = [...root.leases].filter(([, lease]) => lease.session === ended.id && isHeld(lease))
  for (const name of held.map(([name]) => name).sort()) giveBack(root, session, name, input)
}

function leases(root: Root): Obj {
  const sorted = [...root.leases].sort(([a], [b]) => (a < b ? -1 : 1))
  const shown = sorted.map(([name, lease]) => {
    return { name, epoch: lease.epoch, holder: lease.holder, held: isHeld(lease), ttl_ms: ttlMs }
  })
  return { leases: shown }
}

/** A claim of a key is a lease with `key/` before its name, and speaks of the key. */
function ofKey(perform: Perform): Perform {
  return (root, session, { key, ...input }, actual) => {
    const done = perform(root, session, { ...input, name: `key/${key}` }, actual)
    const { name: _name, ...rest } = done
    return { ...(isRefused(done) ? done : rest), key: key as string }
  }
}

const writing =
  (perform: Perform): Perform =>
  (root, session, input, actual) =>
    closed(root, session) ?? perform(root, session, input, actual)

export const claims: Readonly<Record<string, Perform>> = {
  'lease.claim': writing(claim),
  'lease.heartbeat': writing(heartbeat),
  'lease.release': writing(release),
  'lease.list': leases,
  'state.claim': writing(ofKey(claim)),
  'state.heartbeat': writing(ofKey(heartbeat)),
  'state.release': writing(ofKey(release)),
}
