import { elapsed } from '../../clock.ts'

/** Calls that are answered together share one fsync; more than this in one group would make the first wait for the last. */
const groupMax = 256

/** Groups that follow one another at once keep timers and sockets waiting for no longer than this. */
const turnMsMax = 2

/** While turns of the event loop bring more calls, a group waits for them: no longer than this. */
const gatherMsMax = 2

/** When everything that is ready now has been done. */
function answersHeard(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * A queue whose waiting entries are taken as a group, one group at a time. While a group is being written, the next one
 * gathers: the busier the store, the larger the groups.
 */
export class Lane<Entry> {
  readonly #run: (group: Entry[]) => Promise<number>
  readonly #idle: () => void
  readonly #turnOf: (entry: Entry) => string
  readonly #gatherMs: number
  #waiting: Entry[] = []
  #draining: Promise<void> | undefined

  /**
   * `run` says how many of the group it has done, from the first on, and must not reject; `idle` is called when nothing is left. Those of one
   * turn keep their order.
   */
  constructor(
    run: (group: Entry[]) => Promise<number>,
    idle: () => void,
    turnOf: (entry: Entry) => string = () => '',
    gatherMs = gatherMsMax,
  ) {
    this.#run = run
    this.#idle = idle
    this.#turnOf = turnOf
    this.#gatherMs = gatherMs
  }

  add(entry: Entry): void {
    this.#waiting.push(entry)
    this.#draining ??= this.#drain()
  }

  /** When all that waits now has been answered. */
  async settled(): Promise<void> {
    await this.#draining
  }

  async #drain(): Promise<void> {
    await this.#gather()
    let turned = elapsed()
    while (this.#waiting.length > 0) {
      const group = this.#take()
      const done = await this.#run(group)
      if (done < group.length) this.#waiting.unshift(...group.slice(done))
      // Those who were just answered get to ask again before the next group starts; others wait for a turn of the event loop.
      await answersHeard()
      if (this.#waiting.length > 0 && elapsed() - turned < turnMsMax) continue
      await this.#gather()
      turned = elapsed()
    }
    this.#draining = undefined
    this.#idle()
  }

  /**
   * Whoever asks in the same turn of the event loop goes into the same group, and in the next ones as long as they bring more:
   * clients of a server ask again when they were answered, and would else be split in two halves that never meet.
   */
  async #gather(): Promise<void> {
    const until = elapsed() + this.#gatherMs
    let before: number
    do {
      before = this.#waiting.length
      await nextTurn()
    } while (this.#waiting.length > before && this.#waiting.length < groupMax && elapsed() < until)
  }

  #take(): Entry[] {
    const group = inTurns(this.#waiting, this.#turnOf)
    this.#waiting = group.length > groupMax ? group.splice(groupMax) : []
    return group
  }
}

/** The first of each turn in the order they came, then the second of each, and so on: whoever asks for much waits for itself. */
function inTurns<Entry>(entries: Entry[], turnOf: (entry: Entry) => string): Entry[] {
  const first = turnOf(entries[0] as Entry)
  if (entries.every((entry) => turnOf(entry) === first)) return entries
  const rounds: Entry[][] = []
  const taken = new Map<string, number>()
  for (const entry of entries) {
    const turn = turnOf(entry)
    const round = taken.get(turn) ?? 0
    taken.set(turn, round + 1)
    rounds[round] ??= []
    rounds[round].push(entry)
  }
  return rounds.flat()
}
