import { type AnyTable, type EventRow, events } from '../../domain/log/tables.ts'
import { diskBytesOf } from '../disk-space.ts'
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
  #countedBefore: number

  constructor(call: Call, overlay: Overlay, recorded: EventRow[]) {
    this.call = call
    this.overlay = overlay
    this.before = recorded.length
    this.#events = recorded
    this.#mark = overlay.mark()
    this.#countedBefore = overlay.counted
  }

  /** What it adds to the disk space of its root, without what is remembered of the request. */
  get added(): number {
    let bytes = this.overlay.counted - this.#countedBefore
    for (let at = this.before; at < this.#events.length; at++)
      bytes += diskBytesOf(events, this.#events[at] as EventRow)
    return bytes
  }

  takeBack(): void {
    this.overlay.backTo(this.#mark)
    this.#events.length = this.before
    this.kept.length = 0
    this.#countedBefore = this.overlay.counted
  }
}
