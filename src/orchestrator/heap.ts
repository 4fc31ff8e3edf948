/** The smallest first, in the order that is given. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #isBefore: (a: T, b: T) => boolean

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
  }

  get first(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!this.#isBefore(item, items[above] as T)) break
      items[at] = items[above] as T
      at = above
    }
    items[at] = item
  }

  pop(): T | undefined {
    const items = this.#items
    const [first] = items
    const last = items.pop()
    if (last === undefined || items.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= items.length) break
      if (below + 1 < items.length && this.#isBefore(items[below + 1] as T, items[below] as T)) below++
      if (!this.#isBefore(items[below] as T, last)) break
      items[at] = items[below] as T
      at = below
    }
    items[at] = last
    return first
  }
}

/** The smallest first; what comes in order, as most does, costs no more for being many. */
export class InOrder<T> {
  readonly #others: Heap<T>
  readonly #isBefore: (a: T, b: T) => boolean
  #row: T[] = []
  #next = 0

  constructor(isBefore: (a: T, b: T) => boolean) {
    this.#isBefore = isBefore
    this.#others = new Heap(isBefore)
  }

  push(item: T): void {
    const last = this.#row.at(-1)
    if (this.#next === this.#row.length || last === undefined || !this.#isBefore(item, last)) this.#row.push(item)
    else this.#others.push(item)
  }

  pop(): T | undefined {
    const inRow = this.#row[this.#next]
    const other = this.#others.first
    if (inRow === undefined || (other !== undefined && this.#isBefore(other, inRow))) return this.#others.pop()
    this.#next++
    if (this.#next === this.#row.length) {
      this.#row = []
      this.#next = 0
    }
    return inRow
  }
}
