import { digestOf } from '../../domain/log/event.ts'
import type { Parts } from '../../domain/log/part.ts'
import { type EventRow, type RequestRow, type StreamRow, streams } from '../../domain/log/tables.ts'
import { stateStream } from '../../domain/state/facts.ts'
import type { VersionRow } from '../../domain/state/tables.ts'
import type { Json } from '../../json/value.ts'
import type { Work } from '../../store/engine.ts'
import { detach } from '../forks/detach.ts'
import type { Family } from '../forks/family.ts'
import { released } from '../forks/removed.ts'
import { asLoads } from '../write/as-loads.ts'
import { bytesOf, touched } from './compact.ts'

export interface Erased {
  readonly events: number
  readonly versions: number
  readonly answers: number
  /** Other roots that have the same values, from before they parted. */
  readonly holders: readonly string[]
}

const nothing: Erased = { events: 0, versions: 0, answers: 0, holders: [] }

/**
 * Removes every body that holds a value of the key: its own events and versions, documents it was part of, and answers that
 * are remembered for repeats. A replay from now on starts from the rows as they are.
 */
export function* eraseKey(parts: Parts, root: number, { heads, segments }: Family, key: string): Work<Erased> {
  const [found, logged, links, requests] = yield [
    { table: streams, key: [root, stateStream] },
    { ask: 'log_with_key', with: [root, key] },
    { ask: 'versions_of_key', with: [root, key, Number.MAX_SAFE_INTEGER] },
    { ask: 'requests_of_root', with: [root] },
  ]
  const stream = found?.[0] as StreamRow | undefined
  const head = heads.find((each) => each.root === root)
  if (head === undefined || stream === undefined) return { changes: [], out: nothing }
  const bodies = ((logged ?? []) as EventRow[]).filter((row) => row.key === key || mentions(row.data, key))
  // The tombstone stays: a version of a key never comes twice.
  const versions = ((links ?? []) as VersionRow[]).filter((row) => row.kind !== 'gone')
  const places = versions.map((row) => [root, key, row.seq])
  const answers = ((requests ?? []) as RequestRow[]).filter((row) => mentions(row.answer, key))
  const own = detach(parts, root, segments)
  const freed = yield* asLoads(released(parts, { heads, segments: own.segments }))
  const holders = holdersOf([...bodies, ...versions], root, { heads, segments })
  return {
    changes: [
      ...own.changes,
      ...freed,
      { deed: 'remove_body', each: bodies.map((row) => [root, row.seq, bytesOf(digestOf(row.data ?? ''))]) },
      { deed: 'remove_version', each: places },
      { deed: 'remove_place', each: places },
      { deed: 'blank_answer', each: answers.map((row) => [row.caller, row.id, JSON.stringify({ erased: true })]) },
      ...touched(head, { ...stream, base: head.seq }),
    ],
    out: { events: bodies.length, versions: versions.length, answers: answers.length, holders },
  }
}

/** The other roots of the family that read one of these rows, and so have what is in it. */
function holdersOf(rows: readonly { seq: number }[], root: number, { heads, segments }: Family): string[] {
  const sourceIn = (of: number, seq: number) => {
    const segment = segments.find((each) => each.root === of && seq > each.after && seq <= each.upto)
    return of > 0 ? of : segment?.source
  }
  return heads
    .filter((head) => head.hidden === 0 && head.root !== root)
    .filter((head) => rows.some(({ seq }) => sourceIn(head.root, seq) === sourceIn(root, seq)))
    .map(({ id }) => id)
}

/** Whether a body or an answer is about the key, or holds a document that has it. */
function mentions(text: string | null, key: string): boolean {
  return (text ?? '').includes(JSON.stringify(key)) && holds(JSON.parse(text ?? 'null') as Json, key)
}

function holds(value: Json, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => holds(item, key))
  if (value.key === key) return true
  const documents = [value.payload, value.state, value.current_state]
  const isInDocument = documents.some((doc) => typeof doc === 'object' && doc !== null && Object.hasOwn(doc, key))
  return isInDocument || holds(value.results ?? null, key)
}
