import type { Deciding } from '../domain/deciding.ts'
import { chainHash, type Draft, digestOf, type Event, eventWith } from '../domain/event.ts'
import { evolve } from '../domain/evolve.ts'
import { newHead } from '../domain/head.ts'
import { checkHeld, type LeaseTime, leaseRefs } from '../domain/lease.ts'
import type { Limits } from '../domain/limits.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { type Answer, type Ref, rowOf } from '../domain/rows.ts'
import { refuseSecret } from '../domain/secrets.ts'
import { sessionRemoved } from '../domain/session.ts'
import { keysDueBy, recordExpired } from '../domain/state/lapse.ts'
import {
  type EventRow,
  events,
  type RootRow,
  requests,
  sessions,
  stateKeys,
  streams,
  type Table,
} from '../domain/tables.ts'
import { isPlanted } from '../failpoint.ts'
import { stateRefs } from '../operations/writing.ts'
import { byTable, type Load, type RowsWritten, type Work } from '../store/engine.ts'
import type { Call, Outcome } from './call.ts'
import { nameOfPast, type Overlay } from './overlay.ts'
import { type Remembered, recall } from './remembered.ts'

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
  const remembered = yield* recall(calls)
  const group = new Group(heads, context, remembered)
  if (context.prefetches) yield* group.prefetch(calls.filter((call) => remembered.outcome(call) === undefined))
  const outcomes: Outcome[] = []
  for (const call of calls) outcomes.push(remembered.outcome(call) ?? (yield* group.run(call)))
  return { changes: group.changes(), out: outcomes }
}

class Group {
  readonly #context: GroupContext
  readonly #heads: Map<string, RootRow>
  readonly #overlays = new Map<string, Overlay>()
  readonly #events: EventRow[] = []
  readonly #plain: Plain = new Map()
  readonly #remembered: Remembered

  constructor(heads: readonly RootRow[], context: GroupContext, remembered: Remembered) {
    this.#context = context
    this.#remembered = remembered
    this.#heads = new Map(heads.map((head) => [head.root, head]))
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
    const attempt = new Attempt(call, this.#overlay(call.place.root), this.#events)
    try {
      let answer = yield* this.#decide(attempt)
      if (answer instanceof Refusal && isForWantOfRoom(answer)) {
        attempt.takeBack()
        // What has expired takes up no room, whether or not anybody has noticed so far.
        if (yield* this.#makeRoom(attempt)) answer = yield* this.#decide(attempt)
      }
      const refusal = answer instanceof Refusal ? answer : this.#secret(attempt)
      if (refusal === undefined) return this.#keep(call, answer as Answer, attempt.kept)
      attempt.takeBack()
      return { refusal }
    } catch (bug) {
      attempt.takeBack()
      return { bug }
    }
  }

  *#decide(attempt: Attempt): Generator<Load[], Answer | Refusal, readonly object[][]> {
    const { call } = attempt
    const on = yield* this.#ready(attempt)
    if (on instanceof Refusal) return on
    return this.#gone(call) ?? this.#fenced(call) ?? call.operation.decide(call.input, on)
  }

  /**
   * Loads what the call needs. What of it has expired is put into the log first, and can change what is needed: so that is asked
   * again until nothing is missing and nothing has expired.
   */
  *#ready(attempt: Attempt): Generator<Load[], Deciding | Refusal, readonly object[][]> {
    const { call, overlay } = attempt
    for (;;) {
      const needs = this.#needs(call)
      const missing = overlay.missing(needs)
      if (missing.length > 0) {
        yield* this.#load([[overlay, missing]])
        if (overlay.missing(missing).length > 0) return rowsLost()
        continue
      }
      const on = this.#deciding(attempt)
      if (!recordExpired(on, needs)) return on
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

  /** Whatever way a value came in, it stands in the events of the call. */
  #secret({ call, recorded }: Attempt): Refusal | undefined {
    if ((call.input as { allow_secret?: boolean }).allow_secret === true) return undefined
    for (const { data, key } of recorded()) {
      const refusal = refuseSecret(data ?? '', key)
      if (refusal) return refusal
    }
    return undefined
  }

  changes(): RowsWritten[] {
    const views = [...this.#overlays.values()].flatMap((overlay) => overlay.changes())
    const rows = isPlanted('drop-event') ? this.#events.slice(0, -1) : this.#events
    const log: RowsWritten = { table: events as unknown as Table<never>, rows }
    const plain = [...this.#plain.values()].map(({ table, rows }) => ({ table, rows: [...rows.values()] }))
    return [log, ...byTable(views), ...plain].filter((change) => change.rows.length > 0)
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
    const acting = overlay.head() === undefined ? [] : [rowOf(sessions, 0), rowOf(sessions, place.no), ...stateRefs]
    const fence = call.fence === undefined ? [] : leaseRefs(call.fence.name)
    return [...acting, ...fence, ...operation.needs(input, overlay, place)]
  }

  *#makeRoom(attempt: Attempt): Generator<Load[], boolean, readonly object[][]> {
    const { overlay } = attempt
    yield* this.#load([[overlay, [{ dueBy: this.#context.at }, ...stateRefs]]])
    const due = keysDueBy(overlay, this.#context.at).map((key) => rowOf(stateKeys, key))
    yield* this.#load([[overlay, due]])
    return recordExpired(this.#deciding(attempt), due)
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

  #deciding({ call, overlay: rows, kept, lapsed }: Attempt): Deciding {
    return {
      rows,
      lapsed: lapsed(),
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
      session_no: call.author,
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
    const row = this.#remembered.remember(call, answer, this.#context.at)
    if (row !== undefined) this.#keepPlain(requests as unknown as Table<never>, row)
    for (const [table, row] of kept) this.#keepPlain(table, row)
    return { answer }
  }

  #keepPlain(table: Table<never>, row: object): void {
    const entry = this.#plain.get(table.name) ?? { table, rows: new Map<string, object>() }
    entry.rows.set(table.place(row as never), row)
    this.#plain.set(table.name, entry)
  }
}

/** One call on its way: what it has recorded can be taken back. */
class Attempt {
  readonly call: Call
  readonly overlay: Overlay
  /** Rows of no root that it wants to be written. */
  readonly kept: [Table<never>, object][] = []
  readonly #events: EventRow[]
  readonly #mark: number
  readonly #before: number

  constructor(call: Call, overlay: Overlay, events: EventRow[]) {
    this.call = call
    this.overlay = overlay
    this.#events = events
    this.#mark = overlay.mark()
    this.#before = events.length
  }

  readonly recorded = () => this.#events.slice(this.#before)

  /** Before it is decided, it has recorded nothing but what had expired. */
  readonly lapsed = () => this.#events.length - this.#before

  takeBack(): void {
    this.overlay.backTo(this.#mark)
    this.#events.length = this.#before
    this.kept.length = 0
  }
}

/** Whether it was refused because the root is full: by its keys or by all of its values. */
function isForWantOfRoom({ details: { limit } }: Refusal): boolean {
  return limit === 'keys' || limit === 'stateBytes'
}

/** What several calls need is loaded once. */
function nameOf(ref: Ref): string {
  if ('table' in ref) return `${ref.table.name} ${ref.key.join('\0')}`
  if ('past' in ref) return nameOfPast(ref)
  return 'chain' in ref ? `chain ${ref.chain} ${ref.from} ${ref.above}` : JSON.stringify(ref)
}

/** Rows refer to others that the store does not have. */
function rowsLost(): Refusal {
  const message = 'Versions that this value builds on are missing in the store.'
  return refuse('storage_error', message, 'Look at it with `cairn doctor`; restore it from a backup.')
}
