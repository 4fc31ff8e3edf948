// Histories that no Cairn wrote, with hashes that fit.
import { randomBytes } from 'node:crypto'
import { chainHash, digestOf, firstHash } from '../../src/domain/log/event.ts'
import { isoTime, uuid7 } from '../../src/domain/log/identity.ts'
import type { Cairn } from '../../src/open.ts'

export type Given = Parameters<Cairn['log']['adopt']>[0]['events']
export type Forged = { [member: string]: unknown }

export const aTime = Date.UTC(2026, 10, 16)

export const anId = () => uuid7(aTime, randomBytes(10).toString('hex'))
export const aRoot = () => `sess_${anId()}`

/** The first event of a root, or that of a child. */
export function session(data: Forged = {}, more: Forged = {}): Forged {
  const no = (data.no as number | undefined) ?? 0
  const made = { no, parent: null, status: 'running', type: 'full', topic: 'forged', ...data }
  return { stream: `session/${no}`, type: 'session_created', data: made, ...more }
}

export const child = (data: Forged, more: Forged = {}) => session({ parent: 0, ...data }, more)

export const fact = (type: string, data: unknown, more: Forged = {}): Forged => ({ type, key: 'a', data, ...more })

export const schema = (data: Forged, type = 'schema_set'): Forged => ({ stream: 'schema', type, data })

export const lease = (type: string, data: Forged): Forged => ({ stream: 'lease', type, data })

/** Gives events their places and their hashes; what an event says of itself stays as it is. */
export function chained(events: readonly Forged[], after = { seq: 0, hash: firstHash }, known: Forged[] = []): Given {
  const versions = new Map<unknown, number>()
  for (const { stream } of known) versions.set(stream, (versions.get(stream) ?? 0) + 1)
  let { seq, hash } = after
  const made = events.map((given) => {
    seq += 1
    const { stream = 'state' } = given
    const version = (versions.get(stream) ?? 0) + 1
    versions.set(stream, version)
    const own = { seq, id: anId(), session_no: 0, stream, version, key: null, actor: 'forger', at: isoTime(aTime) }
    const event = { ...own, request: null, cause: null, ...given } as Forged
    const cause = event.cause === null ? null : JSON.stringify(event.cause)
    const header = { ...event, at: Date.parse(event.at as string), cause } as never
    hash = chainHash(hash, header, digestOf(JSON.stringify(event.data)))
    return { ...event, hash }
  })
  return made as Given
}
