// What was asked and answered over all rounds, and what a store must therefore hold: the checker of the crash suite.
import { amountOf, isRepeatable, kindOf, ownKey } from './writes.ts'

/** One event of the log, as far as the checker looks at it. */
export interface Seen {
  readonly seq: number
  readonly stream: string
  readonly key: string | null
  readonly request: string | null
}

/** What was found in a store that was opened anew. */
export interface Observed {
  readonly state: Readonly<Record<string, unknown>>
  readonly version: number
  readonly log: readonly Seen[]
  /** What `verify` and the database itself complain of. */
  readonly damages: readonly string[]
}

export class Ledger {
  /** In the order in which they were first asked. */
  readonly #acked = new Map<string, boolean>()
  /** How often `loose` had been counted when it was last looked at, and who asked since. */
  #loose = { value: 0, asked: 0, acked: 0 }

  asked(id: string): void {
    if (!this.#acked.has(id)) this.#acked.set(id, false)
    if (kindOf(id) === 'loose') this.#loose.asked += 1
  }

  acked(id: string): void {
    this.#acked.set(id, true)
    if (kindOf(id) === 'loose') this.#loose.acked += 1
  }

  get acks(): number {
    return [...this.#acked.values()].filter(Boolean).length
  }

  /** Those that can be repeated and were not answered yet. */
  pending(): string[] {
    return [...this.#acked].filter(([id, acked]) => !acked && isRepeatable(id)).map(([id]) => id)
  }

  /** Everything that breaks a promise. What is found out about writes without a request id is remembered. */
  problems(observed: Observed): string[] {
    return [
      ...observed.damages,
      ...this.#problemsOfRequests(observed),
      ...this.#problemsOfNumbers(observed),
      ...this.#problemsOfItems(observed),
      ...this.#problemsOfOwnKeys(observed),
    ]
  }

  /** Each request is in the log once, whole and in one piece; none that was answered is missing; nobody made one up. */
  #problemsOfRequests({ log, version }: Observed): string[] {
    const found: string[] = []
    const places = new Map<string, number[]>()
    for (const { request, seq } of log) {
      if (request !== null) places.set(request, [...(places.get(request) ?? []), seq])
    }
    for (const [id, acked] of this.#acked) {
      const seqs = places.get(id) ?? []
      places.delete(id)
      const whole = kindOf(id) === 'move' ? 2 : 1
      if (!isRepeatable(id)) continue
      if (acked && seqs.length === 0) found.push(`${id} was answered and is lost`)
      if (seqs.length > 0 && seqs.length < whole) found.push(`${id} is half applied`)
      if (seqs.length > whole) found.push(`${id} took effect more than once`)
      if (seqs.length === 2 && seqs[1] !== (seqs[0] ?? 0) + 1) found.push(`${id} is torn apart`)
    }
    for (const id of places.keys()) found.push(`${id} was never asked`)
    const mutations = log.filter(({ stream }) => stream === 'state').length
    if (version !== mutations) found.push(`the state is at version ${version} after ${mutations} mutations`)
    return found
  }

  #problemsOfNumbers({ state, log }: Observed): string[] {
    const found: string[] = []
    const number = (key: string) => Number(state[key] ?? 0)
    const applied = new Set(log.map(({ request }) => request))
    const sum = (kind: string, of: (id: string) => number) =>
      [...this.#acked.keys()]
        .filter((id) => kindOf(id) === kind && applied.has(id))
        .reduce((all, id) => all + of(id), 0)
    const counted = sum('count', () => 1)
    if (number('count') !== counted) found.push(`count is ${number('count')}, not ${counted}`)
    const moved = sum('move', amountOf)
    if (number('left') + number('right') !== 0) found.push(`left and right sum to ${number('left') + number('right')}`)
    if (number('right') !== moved) found.push(`right is ${number('right')}, not ${moved}`)
    const { value, asked, acked } = this.#loose
    const loose = number('loose')
    if (loose < value + acked) found.push(`loose is ${loose}: ${value + acked - loose} answered increments are lost`)
    if (loose > value + asked) found.push(`loose is ${loose}: nobody asked for the last ${loose - value - asked}`)
    this.#loose = { value: loose, asked: 0, acked: 0 }
    return found
  }

  #problemsOfItems({ state }: Observed): string[] {
    const found: string[] = []
    const times = new Map<string, number>()
    for (const item of (state.items ?? []) as string[]) times.set(item, (times.get(item) ?? 0) + 1)
    for (const [id, acked] of this.#acked) {
      if (kindOf(id) !== 'item') continue
      if (acked && !times.has(id)) found.push(`the item ${id} was answered and is lost`)
      if ((times.get(id) ?? 0) > 1) found.push(`the item ${id} is there ${times.get(id)} times`)
      times.delete(id)
    }
    for (const item of times.keys()) found.push(`the item ${item} was never asked`)
    return found
  }

  /** A caller sets its key again and again: it holds the last value that was answered, or one asked after that. */
  #problemsOfOwnKeys({ state }: Observed): string[] {
    const found: string[] = []
    const allowed = new Map<string, (string | undefined)[]>()
    for (const [id, acked] of this.#acked) {
      if (kindOf(id) !== 'own') continue
      const before = allowed.get(ownKey(id)) ?? [undefined]
      allowed.set(ownKey(id), acked ? [id] : [...before, id])
    }
    for (const [key, values] of allowed) {
      const value = state[key] as string | undefined
      if (!values.includes(value)) found.push(`${key} is ${value}, not ${values.join(' or ')}`)
    }
    return found
  }
}
