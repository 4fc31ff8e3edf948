import type { Deciding } from '../domain/deciding.ts'
import { chainHash, type Draft, digestOf, type Event, eventWith } from '../domain/event.ts'
import { evolve } from '../domain/evolve.ts'
import { newHead } from '../domain/head.ts'
import { checkHeld, type LeaseTime, leaseRefs } from '../domain/lease.ts'
import type { Limits } from '../domain/limits.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { type Answer, type Ref, rowOf } from '../domain/rows.ts'
import { sessionRemoved } from '../domain/session.ts'
import {
  type EventRow,
  events,
  type RequestRow,
  type RootRow,
  requests,
  sessions,
  streams,
  type Table,
} from '../domain/tables.ts'
import { isPlanted } from '../failpoint.ts'
import type { Change, Place } from '../operations/operation.ts'
import type { Load, RowsWritten, Work } from '../store/engine.ts'
import type { Overlay } from './overlay.ts'

/** One operation on its way into the log. */
export interface Call {
  readonly operation: Change<unknown, Answer>
  readonly input: object
  /** Who acts; a root that is being made has number 0 and no rows yet. */
  readonly place: Place
  readonly makesRoot: boolean
  readonly actor: string
  readonly request: { readonly caller: string; readonly id: string; readonly fingerprint: string } | undefined
  readonly cause: string | null
  /** The lease under which this is done: nothing is written once it was lost. */
  readonly fence: { readonly name: string; readonly token: number } | undefined
}

/** What became of a call: its answer, a refusal, or the bug it met. */
export type Outcome = { answer: Answer } | { refusal: Refusal } | { bug: unknown }

export interface GroupContext {
  readonly limits: Limits
  readonly at: number
  readonly leaseTime: LeaseTime
  readonly newId: () => string
  /** Loading is a round trip: what all calls need is loaded at once, before the first is decided. */
  readonly prefetches: boolean
  /** The rows remembered of a root, if its head is still where they left it. */
  readonly overlayOf: (root: string, head: RootRow | undefined) => Overlay
}

/** Plain rows written by the group, besides the views of its roots. */
type Plain = Map<string, { table: Table<never>; rows: Map<string, object> }>

/**
 * One transaction: the calls of a group are decided in order, each on what the ones before it made. A call that is
 * refused or throws leaves no trace and hurts nobody else.
 */
export function* runGroup(calls: readonly Call[], heads: readonly RootRow[], context: GroupContext): Work<Outcome[]> {
  const group = new Group(heads, context)
  const remembered = yield* group.recall(calls)
  if (context.prefetches) yield* group.prefetch(calls.filter((_, at) => remembered[at] === undefined))
  const outcomes: Outcome[] = []
  for (const [at, call] of calls.entries()) {
    outcomes.push(group.repeated(call, remembered[at]) ?? (yield* group.run(call)))
  }
  return { changes: group.changes(), out: outcomes }
}

class Group {
  readonly #context: GroupContext
  readonly #heads: Map<string, RootRow>
  readonly #overlays = new Map<string, Overlay>()
  readonly #events: EventRow[] = []
  readonly #plain: Plain = new Map()
  readonly #answered = new Map<string, RequestRow>()

  constructor(heads: readonly RootRow[], context: GroupContext) {
    this.#context = context
    this.#heads = new Map(heads.map((head) => [head.root, head]))
  }

  /** The answers that were given to these request ids before. */
  *recall(calls: readonly Call[]): Generator<Load[], (RequestRow | undefined)[], readonly object[][]> {
    const asked = calls.filter((call) => call.request !== undefined)
    if (asked.length === 0) return calls.map(() => undefined)
    const table = requests as unknown as Table<never>
    const found = yield asked.map((call) => ({ table, key: [call.request?.caller ?? '', call.request?.id ?? ''] }))
    const rows = new Map(asked.map((call, at) => [call, found[at]?.[0] as RequestRow | undefined]))
    return calls.map((call) => rows.get(call))
  }

  /** The answer given then, also to a repeat that came in the same group. */
  repeated(call: Call, before: RequestRow | undefined): Outcome | undefined {
    if (call.request === undefined) return undefined
    const row = before ?? this.#answered.get(requests.place(call.request as RequestRow))
    if (row === undefined) return undefined
    if (row.fingerprint === call.request.fingerprint) return { answer: JSON.parse(row.answer) as Answer }
    return {
      refusal: refuse(
        'idempotency_mismatch',
        `The request id ${JSON.stringify(call.request.id)} was used for another request.`,
        'Use a new id for each request, and the same one only to repeat it.',
        { request_id: call.request.id },
      ),
    }
  }

  /** Loads in one go what the calls are known to need; what turns out later is loaded at their turn. */
  *prefetch(calls: readonly Call[]): Generator<Load[], void, readonly object[][]> {
    yield* this.#load(calls.map((call) => [this.#overlay(call.place.root), this.#needsAtFirst(call)] as const))
  }

  /** A call that cannot even say what it needs says so at its turn, alone. */
  #needsAtFirst(call: Call): Ref[] {
    try {
      return this.#needs(call)
    } catch {
      return []
    }
  }

  *run(call: Call): Generator<Load[], Outcome, readonly object[][]> {
    const overlay = this.#overlay(call.place.root)
    const mark = overlay.mark()
    const eventsBefore = this.#events.length
    const kept: [Table<never>, object][] = []
    try {
      for (let missing = this.#missing(call); missing.length > 0; missing = this.#missing(call)) {
        yield* this.#load([[overlay, missing]])
      }
      const answer =
        this.#gone(call) ?? this.#fenced(call) ?? call.operation.decide(call.input, this.#deciding(call, overlay, kept))
      if (!(answer instanceof Refusal)) return this.#keep(call, answer, kept)
      overlay.backTo(mark)
      this.#events.length = eventsBefore
      return { refusal: answer }
    } catch (bug) {
      overlay.backTo(mark)
      this.#events.length = eventsBefore
      return { bug }
    }
  }

  /** The session was found before the root was held; another process may have removed it since. */
  #gone({ place, makesRoot }: Call): Refusal | undefined {
    if (makesRoot || this.#overlay(place.root).get(sessions, place.no) !== undefined) return undefined
    return sessionRemoved()
  }

  #fenced({ fence, place }: Call): Refusal | undefined {
    if (fence === undefined || isPlanted('skip-fence')) return undefined
    const held = checkHeld(this.#overlay(place.root), fence.name, fence.token, this.#context.leaseTime)
    return held instanceof Refusal ? held : undefined
  }

  changes(): RowsWritten[] {
    const views = [...this.#overlays.values()].flatMap((overlay) => overlay.changes())
    const rows = isPlanted('drop-event') ? this.#events.slice(0, -1) : this.#events
    const log: RowsWritten = { table: events as unknown as Table<never>, rows }
    const plain = [...this.#plain.values()].map(({ table, rows }) => ({ table, rows: [...rows.values()] }))
    return [log, ...merged(views), ...plain].filter((change) => change.rows.length > 0)
  }

  #overlay(root: string): Overlay {
    let overlay = this.#overlays.get(root)
    if (overlay === undefined) {
      overlay = this.#context.overlayOf(root, this.#heads.get(root))
      this.#overlays.set(root, overlay)
    }
    return overlay
  }

  #needs(call: Call): Ref[] {
    const { place, operation, input } = call
    const overlay = this.#overlay(place.root)
    const acting = overlay.head() === undefined ? [] : [rowOf(sessions, 0), rowOf(sessions, place.no)]
    const fence = call.fence === undefined ? [] : leaseRefs(call.fence.name)
    return [...acting, ...fence, ...operation.needs(input, overlay, place)]
  }

  #missing(call: Call): Ref[] {
    return this.#overlay(call.place.root).missing(this.#needs(call))
  }

  *#load(wanted: readonly (readonly [Overlay, readonly Ref[]])[]): Generator<Load[], void, readonly object[][]> {
    const asked = new Map<string, readonly [Overlay, Ref]>()
    for (const [overlay, refs] of wanted) {
      for (const ref of overlay.missing(refs)) asked.set(`${overlay.root} ${nameOf(ref)}`, [overlay, ref])
    }
    if (asked.size === 0) return
    const refs = [...asked.values()]
    const found = yield refs.map(([overlay, ref]) => overlay.loading(ref))
    for (const [at, [overlay, ref]] of refs.entries()) overlay.take(ref, found[at] ?? [])
  }

  #deciding(call: Call, rows: Overlay, kept: [Table<never>, object][]): Deciding {
    return {
      rows,
      session: rows.get(sessions, call.place.no),
      limits: this.#context.limits,
      at: this.#context.at,
      leaseTime: this.#context.leaseTime,
      record: (draft) => this.#record(call, rows, draft),
      // A row of the root is seen by the calls that follow in this group; one of the store is only written.
      keep: (table, row) => (table.ofRoot ? rows.put(table, row) : kept.push([table as unknown as Table<never>, row])),
    }
  }

  /** Written out field by field: this runs for every event, and spreading objects costs more than all the rest of it. */
  #record(call: Call, rows: Overlay, draft: Draft): Event {
    const head = rows.head() ?? newHead(rows.root)
    const text = JSON.stringify(draft.data)
    const row: EventRow = {
      root: rows.root,
      seq: head.seq + 1,
      id: this.#context.newId(),
      session_no: call.place.no,
      stream: draft.stream,
      version: (rows.get(streams, draft.stream)?.version ?? 0) + 1,
      key: 'key' in draft ? draft.key : null,
      type: draft.type,
      data: text,
      actor: call.actor,
      at: this.#context.at,
      request: call.request?.id ?? null,
      cause: call.cause,
      hash: '',
      digest: null,
    }
    row.hash = chainHash(head.hash, row, digestOf(text))
    this.#events.push(row)
    const event = eventWith(row, draft.data)
    evolve(rows, event)
    if (isPlanted('double-apply')) evolve(rows, event)
    return event
  }

  #keep(call: Call, answer: Answer, kept: readonly [Table<never>, object][]): Outcome {
    if (call.request !== undefined) {
      const { root } = call.place
      const row: RequestRow = { ...call.request, root, answer: JSON.stringify(answer), at: this.#context.at }
      this.#answered.set(requests.place(row), row)
      this.#keepPlain(requests as unknown as Table<never>, row)
    }
    for (const [table, row] of kept) this.#keepPlain(table, row)
    return { answer }
  }

  #keepPlain(table: Table<never>, row: object): void {
    const entry = this.#plain.get(table.name) ?? { table, rows: new Map<string, object>() }
    entry.rows.set(table.place(row as never), row)
    this.#plain.set(table.name, entry)
  }
}

/** What several calls need is loaded once. */
function nameOf(ref: Ref): string {
  if ('table' in ref) return `${ref.table.name} ${ref.key.join('\0')}`
  return 'chain' in ref ? `chain ${ref.chain} ${ref.from} ${ref.above}` : Object.keys(ref).join()
}

/** The views of several roots, table by table: each table is written with one statement. */
function merged(changes: readonly RowsWritten[]): RowsWritten[] {
  const byTable = new Map<string, { table: Table<never>; rows: object[] }>()
  for (const { table, rows } of changes) {
    const entry = byTable.get(table.name)
    if (entry === undefined) byTable.set(table.name, { table, rows: [...rows] })
    else entry.rows.push(...rows)
  }
  return [...byTable.values()]
}
