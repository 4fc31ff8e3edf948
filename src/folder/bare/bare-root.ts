import type { Deciding } from '../../domain/log/deciding.ts'
import { chainHash, type Draft, digestOf, type Event, eventWith } from '../../domain/log/event.ts'
import { evolve } from '../../domain/log/evolve.ts'
import { defaultLimits } from '../../domain/log/limits.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { ReplayedRows } from '../../domain/log/replayed-rows.ts'
import type { RowsWithPast } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { manifestFrom } from '../../domain/manifest/manifest.ts'
import { artifacts, commits, manifests } from '../../domain/manifest/tables.ts'
import { parts } from '../../domain/parts.ts'
import { withFixed } from '../../domain/plan/phases.ts'
import { buildCheckpoints, phases } from '../../domain/plan/tables.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import type { JsonObject } from '../../json/value.ts'
import type { ForeignEvent } from '../../log/adopt/foreign-event.ts'
import type { AnyAnswered } from '../../operations/operation.ts'

/** All rows of a root are in memory: there is nothing to ask for. */
class WholeRows extends ReplayedRows implements RowsWithPast {
  past(): never {
    throw new Error('a folder without a store has no past')
  }
  first(): never {
    throw new Error('a folder without a store has no index')
  }
  mustKnow(): void {}
}

/** A root as the manifest of its folder tells of it: the same rules decide and the same `evolve` changes it as in a store. */
export class BareRoot {
  readonly #rows: WholeRows
  readonly #now: () => number
  readonly #newId: () => string
  #at = 0

  constructor({ id, events }: { id: string; events: readonly ForeignEvent[] }, now: () => number, newId: () => string) {
    this.#rows = new WholeRows(1, id)
    this.#now = now
    this.#newId = newId
    for (const event of events) this.#apply(eventWith({ root: 1, ...event }, JSON.parse(event.data ?? '{}')))
  }

  /** What an operation decides of it; a refusal changes nothing. */
  perform(operation: AnyAnswered, asked: JsonObject): Refusal | undefined {
    const input = operation.input.check(asked, '', defaultLimits)
    if (input instanceof Refusal) return input as Refusal
    if (operation.kind !== 'change' || operation.makes !== 'events')
      throw new Error(`${operation.name} changes nothing`)
    this.#at = this.#now()
    const made = operation.decide(input, this.#deciding())
    return made instanceof Refusal ? (made as Refusal) : undefined
  }

  /** What `manifest.show` would say of it. */
  shown(): ReturnType<typeof manifestFrom> {
    const rows = this.#rows
    const session = rows.get(sessions, 0) as SessionRow
    return manifestFrom({
      session,
      phases: withFixed(1, session.type, rows.all(phases)),
      checkpoints: rows.all(buildCheckpoints),
      manifest: rows.get(manifests),
      commits: rows.all(commits).sort((a, b) => a.no - b.no),
      artifacts: rows.all(artifacts),
      updatedAt: Math.max(this.#at, ...rows.all(streams).map(({ updated_at }) => updated_at)),
    })
  }

  #deciding(): Deciding {
    return {
      rows: this.#rows,
      no: 0,
      session: this.#rows.get(sessions, 0),
      makesRoot: false,
      agent: undefined,
      fences: [],
      limits: defaultLimits,
      allowsSecret: false,
      at: this.#at,
      lapsed: 0,
      leaseTime: { ms: this.#at, boot: '' },
      written: () => 0,
      newId: this.#newId,
      newSecret: this.#newId,
      record: (draft) => this.#record(draft),
      keep: (table, row) => this.#rows.put(table, row),
    }
  }

  #record(draft: Draft): Event {
    const { seq = 0, hash = '' } = this.#rows.head() ?? {}
    const { type, stream, data } = draft
    const version = (this.#rows.get(streams, stream)?.version ?? 0) + 1
    const header = {
      seq: seq + 1,
      id: this.#newId(),
      session_no: 0,
      stream,
      version,
      key: null,
      type,
      actor: 'folder',
      at: this.#at,
      request: null,
      cause: null,
    }
    const text = JSON.stringify(data)
    const row = { ...header, root: 1, data: text, digest: null, hash: chainHash(hash, header, digestOf(text)) }
    const event = eventWith(row, data)
    this.#apply(event)
    return event
  }

  #apply(event: Event): void {
    evolve(parts.evolve, this.#rows, event)
    for (const { table, row } of this.#rows.takeMade()) this.#rows.keep(table, row as never)
  }
}
