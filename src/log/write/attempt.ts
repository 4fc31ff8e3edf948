import type { AnyTable, EventRow } from '../../domain/log/tables.ts'
import type { Call } from './call.ts'
import type { Overlay } from './overlay.ts'

/** One call on its way: what it has recorded can be taken back. */
export class Attempt {
  readonly call: Call
  readonly overlay: Overlay
  /** Rows of no root that it wants to be written. */
  readonly kept: [AnyTable, object][] = []
  /** How many events there were before its own. */
  readonly before: number
  readonly #events: EventRow[]
  readonly #mark: number

  constructor(call: Call, overlay: Overlay, events: EventRow[]) {
    this.call = call
    this.overlay = overlay
    this.before = events.length
    this.#events = events
    this.#mark = overlay.mark()
  }

  takeBack(): void {
    this.overlay.backTo(this.#mark)
    this.#events.length = this.before
    this.kept.length = 0
  }
}
