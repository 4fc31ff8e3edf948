import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Told } from './messages.ts'
import type { Member, Tail } from './tail.ts'
import { mayNeedWhole, textsFor, type Wanted } from './wanted.ts'

/** One who is told. */
export interface Listener {
  /** False when it wants no more. */
  take(told: Told, texts: readonly string[]): boolean
  /** When it has room for more of the past. */
  room(): Promise<void>
}

interface Parts {
  readonly tail: Tail
  /** The last that was seen. */
  readonly since: number
  /** Everything after a sequence, from the store; without it only what is to come can be had. */
  readonly past: ((since: number, signal: AbortSignal) => AsyncIterable<Told>) | undefined
  readonly wanted: Wanted
  drop(): void
}

/** One who has been told the past and is told what comes. */
interface Joined {
  readonly member: Member
  /** When it wants no more. */
  readonly over: Promise<void>
}

/** What somebody follows: first the past, then the live end of the log, without a gap and without a repeat. */
export class Subscription {
  readonly #parts: Parts
  #isDropped = false
  #position: number

  constructor(parts: Parts) {
    this.#parts = parts
    this.#position = this.isOfOneLog ? parts.since : 0
  }

  /** From where one goes on who has been told all so far, whether or not it wanted the last of it. */
  get position(): number {
    return this.#position
  }

  /** Whether a sequence alone says where to go on. */
  get isOfOneLog(): boolean {
    return this.#parts.past !== undefined
  }

  drop(): void {
    if (this.#isDropped) return
    this.#isDropped = true
    this.#parts.drop()
  }

  /** Tells until the signal, or until the listener or the log has an end. Throws a refusal where it cannot go on. */
  async follow(listener: Listener, signal: AbortSignal): Promise<void> {
    const { tail, wanted } = this.#parts
    const hear = (told: Told): boolean => {
      const texts = textsFor(told, wanted)
      if (texts.length > 0 && !listener.take(told, texts)) return false
      this.#position = told.seq
      return true
    }
    const joined = await this.#catchUp(hear, listener, signal)
    if (joined === undefined) return
    await Promise.race([joined.over, tail.ended]).finally(() => tail.leave(joined.member))
  }

  /** Reads the past from the store until the tail has the rest, and joins it; undefined when it ended on the way. */
  async #catchUp(hear: (told: Told) => boolean, listener: Listener, signal: AbortSignal): Promise<Joined | undefined> {
    const { tail, since, past, wanted } = this.#parts
    const isWhole = mayNeedWhole(wanted)
    const recent = tail.recentAfter(since, isWhole)
    if (recent !== undefined) return this.#join(recent, hear, signal)
    if (past === undefined) throw new CairnRefusal(tooLate())
    for await (const told of past(since, signal)) {
      if (!hear(told)) return undefined
      const rest = tail.recentAfter(told.seq, isWhole)
      if (rest !== undefined) return this.#join(rest, hear, signal)
      await listener.room()
    }
    return undefined
  }

  /** In one go: what the tail tells between being asked for the rest and being joined would be missed. */
  #join(rest: readonly Told[], hear: (told: Told) => boolean, signal: AbortSignal): Joined | undefined {
    if (signal.aborted || !rest.every(hear)) return undefined
    let end: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    const member = (told: Told): void => {
      if (!hear(told)) end()
    }
    signal.addEventListener('abort', end, { once: true })
    this.#parts.tail.join(member)
    return { member, over }
  }
}

function tooLate() {
  return refuse('busy', 'Too many events arrived while this connection was being opened.', 'Connect again.')
}
