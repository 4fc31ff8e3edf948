import { elapsed } from '../../clock.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { chainHash, type Draft, digestOf, type Event, eventWith } from '../../domain/log/event.ts'
import { evolve } from '../../domain/log/evolve.ts'
import { newHead } from '../../domain/log/head.ts'
import type { LeaseTime } from '../../domain/log/lease-time.ts'
import type { Limits } from '../../domain/log/limits.ts'
import type { Parts } from '../../domain/log/part.ts'
import type { Load } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { type Answer, type Ref, rowOf } from '../../domain/log/rows.ts'
import { refuseSecret } from '../../domain/log/secrets.ts'
import {
  type AnyTable,
  type EventRow,
  events,
  type RequestRow,
  type RootRow,
  requests,
  streams,
} from '../../domain/log/tables.ts'
import { isPlanted } from '../../failpoint.ts'
import { byTable, type RowsWritten, type Work } from '../../store/engine.ts'
import { checkRoom, diskBytesOf } from '../disk-space.ts'
import { Attempt } from './attempt.ts'
import type { Call, Outcome } from './call.ts'
import { load, rowsLost } from './loading.ts'
import { Missing } from './missing.ts'
import type { Overlay } from './overlay.ts'
import { isRequest, nothingRemembered, type Remembered, recall, rememberedRow } from './remembered.ts'
import { numberTaken } from './root-numbers.ts'

/** What is the same for all groups of a store. */
export interface GroupContext {
  readonly parts: Parts
  readonly limits: Limits
  readonly newId: () => string
  readonly newSecret: () => string
  /** Loading is a round trip: what all calls need is loaded at once, before the first is decided. */
  readonly prefetches: boolean
  /** The rows remembered of a root, if its head is still where they left it. */
  readonly overlayOf: (root: number, id: string, head: RootRow | undefined) => Overlay
}

/** A group that has taken so long is written with the calls it has decided. */
const groupMsMax = 20

/** When a group runs: by the clock on the wall, and by the one that leases run by. */
export interface Moment {
  readonly at: number
  readonly leaseTime: LeaseTime
}

/**
 * One transaction: the calls of a group are decided in order, each on what the ones before it made. A call that is
 * refused or throws leaves no trace and hurts nobody else. One that lacks rows is tried again from its beginning once they are
 * loaded: most find all they need in memory, and those never wait. The outcomes are those of the first calls, where the others are left for
 * another group.
 */
export function* runGroup(
  calls: readonly Call[],
  heads: readonly RootRow[],
  moment: Moment,
  context: GroupContext,
): Work<Outcome[]> {
  const remembered = calls.some(isRequest) ? yield* recall(calls) : nothingRemembered
  const group = new Group(heads, moment, context, remembered)
  if (context.prefetches) yield* group.prefetch(calls.filter((call) => remembered.outcome(call) === undefined))
  const outcomes: Outcome[] = []
  const started = elapsed()
  for (const call of calls) {
    if (call.operation.startsGroup && outcomes.length > 0) break
    let done = remembered.outcome(call) ?? group.attempt(call)
    while (done instanceof Missing) {
      const { refs } = done
      yield* group.load(call, refs)
      done = group.lacks(call, refs) ? { refusal: rowsLost() } : group.attempt(call)
    }
    outcomes.push(done)
    // Whoever is left comes in the next group: one that takes long keeps those waiting who are done.
    if (elapsed() - started > groupMsMax) break
  }
  return { changes: group.changes(), out: outcomes }
}

class Group {
  readonly #context: GroupContext
  readonly #moment: Moment
  readonly #overlays = new Map<number, Overlay>()
  readonly #events: EventRow[] = []
  /** Plain rows written by the group, besides the views of its roots. */
  readonly #plain: { table: AnyTable; rows: Map<string, object> }[] = []
  readonly #remembered: Remembered

  constructor(heads: readonly RootRow[], moment: Moment, context: GroupContext, remembered: Remembered) {
    this.#context = context
    this.#moment = moment
    this.#remembered = remembered
    for (const head of heads) this.#overlays.set(head.root, context.overlayOf(head.root, head.id, head))
  }

  /** Loads in one go what the calls are known to need; what turns out later is loaded at their turn. */
  *prefetch(calls: readonly Call[]): Generator<Load[], void, readonly object[][]> {
    yield* load(calls.map((call) => [this.#overlay(call), this.#needsAtFirst(call)] as const))
  }

  /** A call that cannot even say what it needs says so at its turn, alone. */
  #needsAtFirst(call: Call): Ref[] {
    try {
      return this.#needs(call, this.#overlay(call))
    } catch {
      return []
    }
  }

  /** Decides a call, or says what it needs first; only what is answered leaves a trace. */
  attempt(call: Call): Outcome | Missing {
    // A number can be taken where a backup came into the store after it was drawn.
    if (call.makesRoot && this.#overlay(call).head() !== undefined) return { refusal: numberTaken() }
    const attempt = new Attempt(call, this.#overlay(call), this.#events)
    const outcome = this.#outcome(attempt)
    if (!('answer' in outcome)) attempt.takeBack()
    return outcome
  }

  #outcome(attempt: Attempt): Outcome | Missing {
    try {
      let answer = this.#decide(attempt)
      if (answer instanceof Refusal) {
        attempt.takeBack()
        const relieved = this.#relieve(attempt, answer)
        if (relieved instanceof Missing) return relieved
        if (relieved) answer = this.#decide(attempt)
      }
      if (answer instanceof Missing) return answer
      const refusal = answer instanceof Refusal ? answer : this.#secret(attempt)
      return refusal === undefined ? this.#keep(attempt, answer as Answer) : { refusal }
    } catch (bug) {
      return bug instanceof Missing ? bug : { bug }
    }
  }

  #decide(attempt: Attempt): Answer | Refusal | Missing {
    const on = this.#ready(attempt)
    return on instanceof Missing ? on : attempt.call.operation.decide(attempt.call.input, on)
  }

  /**
   * What has happened by itself to the rows it needs is put into the log first, and can change what is needed: so that is asked again
   * until nothing is missing and nothing has happened.
   */
  #ready(attempt: Attempt): Deciding | Missing {
    const { call, overlay } = attempt
    for (;;) {
      const needs = this.#needs(call, overlay)
      const missing = overlay.missing(needs)
      if (missing.length > 0) return new Missing(missing)
      const on = this.#deciding(attempt)
      if (!this.#before(on, needs)) return on
    }
  }

  /** What is due is named where it counts, and so recorded first. */
  #needs({ operation, input, place }: Call, overlay: Overlay): Ref[] {
    const needs = operation.needs(input, overlay, place)
    if (!operation.settles?.(input)) return needs
    const { at } = this.#moment
    return [...needs, ...this.#context.parts.list.flatMap(({ due }) => due?.needs(overlay, at) ?? [])]
  }

  #before(on: Deciding, refs: readonly Ref[]): boolean {
    let recorded = false
    for (const part of this.#context.parts.list) if (part.before?.(on, refs)) recorded = true
    return recorded
  }

  /** Whether something was due that made room for what was refused: whether or not anybody has noticed, it takes up none. */
  #relieve(attempt: Attempt, refusal: Refusal): boolean | Missing {
    const { overlay } = attempt
    const { list } = this.#context.parts
    const refs = list.flatMap(({ due }) => (due?.makesRoom?.(refusal) ? due.needs(overlay, this.#moment.at) : []))
    const missing = overlay.missing(refs)
    if (missing.length > 0) return new Missing(missing)
    return refs.length > 0 && this.#before(this.#deciding(attempt), refs)
  }

  /** Whatever way a value came in, it stands in the events of the call. */
  #secret({ call, before }: Attempt): Refusal | undefined {
    if (allowsSecret(call)) return undefined
    for (let at = before; at < this.#events.length; at++) {
      const { data, key, stream } = this.#events[at] as EventRow
      if (this.#context.parts.owner(stream)?.secrets === 'redact') continue
      const refusal = refuseSecret(data ?? '', key)
      if (refusal) return refusal
    }
    return undefined
  }

  changes(): RowsWritten[] {
    const found: RowsWritten[] = []
    const rows = isPlanted('drop-event') ? this.#events.slice(0, -1) : this.#events
    if (rows.length > 0) found.push({ table: events, rows })
    found.push(...this.#views())
    for (const { table, rows } of this.#plain) found.push({ table, rows: [...rows.values()] })
    return found
  }

  #views(): RowsWritten[] {
    const views: RowsWritten[] = []
    for (const overlay of this.#overlays.values()) views.push(...overlay.changes())
    return this.#overlays.size === 1 ? views : byTable(views)
  }

  #overlay({ place: { root, rootId } }: Call): Overlay {
    let overlay = this.#overlays.get(root)
    if (overlay === undefined) {
      overlay = this.#context.overlayOf(root, rootId, undefined)
      this.#overlays.set(root, overlay)
    }
    return overlay
  }

  load(call: Call, refs: readonly Ref[]): Generator<Load[], void, readonly object[][]> {
    return load([[this.#overlay(call), refs]])
  }

  /** Whether rows are missing still, after they were loaded. */
  lacks(call: Call, refs: readonly Ref[]): boolean {
    return this.#overlay(call).missing(refs).length > 0
  }

  #deciding({ call, overlay: rows, kept, before }: Attempt): Deciding {
    const start = rows.written
    return {
      rows,
      // Before it is decided, it has recorded nothing but what had expired.
      lapsed: this.#events.length - before,
      no: call.place.no,
      session: undefined,
      makesRoot: call.makesRoot,
      agent: call.agent,
      fences: isPlanted('skip-fence') ? [] : call.place.fences,
      limits: this.#context.limits,
      allowsSecret: allowsSecret(call),
      at: this.#moment.at,
      leaseTime: this.#moment.leaseTime,
      written: () => rows.written - start,
      newId: this.#context.newId,
      newSecret: this.#context.newSecret,
      record: (draft) => this.#record(call, rows, draft),
      // A row of the root is seen by the calls that follow in this group; one of the store is only written.
      keep: (table, row) => (table.ofRoot ? rows.put(table, row) : kept.push([table, row])),
    }
  }

  /** Written out field by field: this runs for every event, and spreading objects costs more than all the rest of it. */
  #record(call: Call, rows: Overlay, draft: Draft): Event {
    const head = rows.head() ?? newHead(rows.root, rows.id)
    const before = rows.get(streams, draft.stream)
    if (before === undefined) this.#mustKnow(rows, draft.stream)
    const text = JSON.stringify(draft.data)
    const row: EventRow = {
      root: rows.root,
      seq: head.seq + 1,
      id: this.#context.newId(),
      session_no: call.author,
      stream: draft.stream,
      version: (before?.version ?? 0) + 1,
      key: 'key' in draft ? draft.key : null,
      type: draft.type,
      data: text,
      actor: call.actor,
      at: this.#moment.at,
      request: call.request?.id ?? null,
      cause: call.cause,
      hash: '',
      digest: null,
    }
    row.hash = chainHash(head.hash, row, digestOf(text))
    this.#events.push(row)
    const event = eventWith(row, draft.data)
    const { parts } = this.#context
    evolve(parts.evolve, rows, event)
    if (isPlanted('double-apply')) evolve(parts.evolve, rows, event)
    return event
  }

  /** A stream that turns out to be written to is looked at first: it may have been written to before. */
  #mustKnow(rows: Overlay, stream: string): void {
    if (rows.head() !== undefined) rows.mustKnow([rowOf(streams, stream)])
  }

  #keep(attempt: Attempt, answer: Answer): Outcome {
    const { call, kept } = attempt
    const row = rememberedRow(call, answer, this.#moment.at)
    const refusal = this.#spend(attempt, row)
    if (refusal) return { refusal }
    if (row !== undefined) {
      this.#remembered.add(row)
      this.#keepPlain(requests, row)
    }
    for (const [table, row] of kept) this.#keepPlain(table, row)
    return { answer }
  }

  /** Counts what a call adds to its root. Where no event moves the head, its generation does: the count is never changed alone. */
  #spend({ call, overlay, added, before }: Attempt, request: RequestRow | undefined): Refusal | undefined {
    const head = overlay.head()
    const bytes = added + (request === undefined ? 0 : diskBytesOf(requests, request))
    if (bytes === 0 || head === undefined) return undefined
    const refusal = checkRoom(head, bytes, this.#context.limits.rootDiskBytes, call.operation.onFullRoot)
    if (refusal) return refusal
    const generation = head.generation + (this.#events.length > before ? 0 : 1)
    overlay.setHead({ ...head, generation, bytes: head.bytes + bytes })
    return undefined
  }

  #keepPlain(table: AnyTable, row: object): void {
    let entry = this.#plain.find((each) => each.table === table)
    if (entry === undefined) {
      entry = { table, rows: new Map() }
      this.#plain.push(entry)
    }
    entry.rows.set(table.place(row), row)
  }
}

function allowsSecret({ input }: Call): boolean {
  return (input as { allow_secret?: boolean }).allow_secret === true
}
