/**
 * What was found out in this turn of the event loop. A busy server reads many requests in one turn, and most of them come with
 * the same token: together they cost one look.
 */
export class PerTurnCache<Value> {
  readonly #known = new Map<string, Value>()

  of(name: string, look: () => Value): Value {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    if (this.#known.size === 0) setImmediate(() => this.forget())
    const found = look()
    this.#known.set(name, found)
    return found
  }

  forget(): void {
    this.#known.clear()
  }
}
