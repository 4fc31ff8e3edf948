/** Things that are known for a while. Of too many the oldest are forgotten first, so that nobody can fill the memory. */
export class ExpiringMap<Value> {
  readonly #known = new Map<string, { readonly value: Value; readonly until: number }>()
  readonly #ms: number
  readonly #max: number
  readonly #now: () => number

  constructor(ms: number, max: number, now: () => number) {
    this.#ms = ms
    this.#max = max
    this.#now = now
  }

  get(name: string): Value | undefined {
    return this.left(name) > 0 ? this.#known.get(name)?.value : undefined
  }

  /** For how many milliseconds it is still known. */
  left(name: string): number {
    return Math.max(0, (this.#known.get(name)?.until ?? 0) - this.#now())
  }

  /** What is known already keeps its time. */
  put(name: string, value: Value): void {
    const left = this.left(name)
    if (left === 0) this.#makeRoom(name)
    this.#known.set(name, { value, until: this.#now() + (left || this.#ms) })
  }

  /** Knows it no more. */
  take(name: string): Value | undefined {
    const value = this.get(name)
    this.#known.delete(name)
    return value
  }

  #makeRoom(name: string): void {
    this.#known.delete(name)
    if (this.#known.size < this.#max) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }
}
