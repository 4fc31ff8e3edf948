/** A line beyond this is cut: nothing that is meant to be read line by line has longer ones. */
const lineBytesMax = 1024 * 1024

/** Cuts output into lines, of which none takes more memory than it may. */
export class Lines {
  #rest: Buffer[] = []
  #kept = 0
  #left = 0

  /** The lines that are whole now. */
  take(bytes: Buffer): string[] {
    const lines: string[] = []
    let from = 0
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#keep(bytes.subarray(from, end))
      lines.push(this.#line())
      from = end + 1
    }
    this.#keep(bytes.subarray(from))
    return lines
  }

  /** What was put out after the last end of a line, once no more is to come. */
  last(): string[] {
    return this.#kept + this.#left > 0 ? [this.#line()] : []
  }

  /** Bytes of a line that has not ended. */
  get open(): number {
    return this.#kept + this.#left
  }

  #keep(bytes: Buffer): void {
    const kept = bytes.subarray(0, lineBytesMax - this.#kept)
    // A copy: the slice that it is of would stay in memory with it.
    if (kept.length > 0) this.#rest.push(Buffer.from(kept))
    this.#kept += kept.length
    this.#left += bytes.length - kept.length
  }

  #line(): string {
    const text = Buffer.concat(this.#rest).toString('utf8')
    const line = this.#left === 0 ? text : `${text} [… ${this.#left} bytes cut]`
    this.#rest = []
    this.#kept = 0
    this.#left = 0
    return line
  }
}
