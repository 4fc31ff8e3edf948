import type { Erasure, Part, Parts } from '../../domain/log/part.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type RequestRow, rowVersions } from '../../domain/log/tables.ts'
import type { Json } from '../../json/value.ts'
import type { Work } from '../../store/engine.ts'
import { bytesCopied, detach } from '../forks/detach.ts'
import type { Family } from '../forks/family.ts'
import { released } from '../forks/removed.ts'
import { asLoads } from '../write/as-loads.ts'
import { pastOf, removableStreams } from './removable.ts'
import { bytesOfBodies, bytesOfPast, touched, withoutBodies, withoutRows } from './touched.ts'

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
  const head = heads.find((each) => each.root === root)
  const removable = yield* asLoads(removableStreams(parts, root))
  if (head === undefined || removable.length === 0) return { changes: [], out: nothing }
  const erasures: Erasure[] = []
  for (const part of new Set(removable.map((each) => each.part)))
    erasures.push(yield* asLoads(part.erasure?.(root, key) ?? erasureByPlace(parts, part, root, key)))
  const events = erasures.flatMap((erasure) => erasure.events).filter(({ data }) => data !== null)
  const rows = erasures.flatMap((erasure) => erasure.rows)
  const requests = yield* asLoads(ask(aboutLog.requests_of_root, root))
  const answers = requests.filter((row) => mentions(row.answer, key))
  const own = detach(parts, root, segments)
  const copied = yield* asLoads(bytesCopied(parts, own.copied))
  const others = heads.filter((each) => each.root !== root && each.hidden === 0 && copied.has(each.root))
  const freed = yield* asLoads(released(parts, { heads, segments: own.segments }))
  const holders = holdersOf([...events, ...rows.flatMap((each) => each.rows)], root, { heads, segments })
  const touching = new Set(events.map(({ stream }) => parts.owner(stream)))
  const moved = removable.filter(({ part }) => touching.has(part))
  return {
    changes: [
      ...own.changes,
      ...freed,
      withoutBodies(root, events),
      ...withoutRows(parts, root, rows),
      { deed: 'blank_answer', each: answers.map((row) => [row.caller, row.id, erasedAnswer]) },
      ...others.flatMap((other) => touched(other, [], copied.get(other.root))),
      ...touched(
        head,
        moved.map(({ stream }) => ({ ...stream, base: head.seq })),
        (copied.get(root) ?? 0) - bytesOfBodies(events) - bytesOfPast(rows) - bytesBlanked(answers),
      ),
    ],
    out: {
      events: events.length,
      versions: rows.reduce((sum, each) => sum + each.rows.length, 0),
      answers: answers.length,
      holders,
    },
  }
}

/** Stands for an answer that held a value of the key. */
const erasedAnswer = JSON.stringify({ erased: true })

function bytesBlanked(answers: readonly RequestRow[]): number {
  return answers.reduce((sum, { answer }) => sum + Buffer.byteLength(answer) - erasedAnswer.length, 0)
}

/** Of a part that says nothing of its own: events that name the key, and earlier rows at the place of that name. */
function* erasureByPlace(parts: Parts, part: Part, root: number, key: string): Asking<Erasure> {
  const events = (yield* ask(aboutLog.log_of_key, root, key)).filter(({ stream }) => parts.owner(stream) === part)
  const rows = (yield* pastOf(part, root)).filter(({ place }) => place === key)
  const newest = Math.max(0, ...rows.map(({ seq }) => seq))
  return { events, rows: [{ table: rowVersions, rows: rows.filter(({ seq }) => seq < newest) }] }
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

/** Whether the key is named anywhere in an answer: whatever operation gave it, what stands there may be a value of the key. */
function mentions(text: string | null, key: string): boolean {
  return (text ?? '').includes(JSON.stringify(key)) && names(JSON.parse(text ?? 'null') as Json, key)
}

function names(value: Json, key: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((item) => names(item, key))
  if (value.key === key || Object.hasOwn(value, key)) return true
  return Object.values(value).some((member) => names(member, key))
}
