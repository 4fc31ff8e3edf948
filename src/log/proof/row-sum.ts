import { hash } from 'node:crypto'
import type { Parameter } from '../../domain/log/questions.ts'
import type { AnyTable } from '../../domain/log/tables.ts'

/** Up to so many characters a hash of our own is faster than a call into the crypto library. */
const shortMax = 128

/** The places of one value. */
interface Places {
  count: number
  sum: number
}

/** A sum of hashes: equal for equal sets of rows of one root, in whatever order they were added. */
export class RowSum {
  readonly #columns: readonly string[]
  /** The column that an index finds its rows by. */
  readonly #indexed: string | undefined
  readonly #seqs = new Map<string, number[]>()
  #sum = 0
  #rows = 0

  constructor({ columns, indexedBy }: AnyTable) {
    this.#columns = Object.keys(columns).filter((column) => column !== 'root')
    this.#indexed = indexedBy?.key[0]
  }

  add(row: object): void {
    const values = row as Readonly<Record<string, Parameter>>
    let mixed = 0
    for (const column of this.#columns) mixed = hashOf(mixed, String(values[column]))
    this.#sum = (this.#sum + mixed) % 2 ** 52
    this.#rows += 1
    if (this.#indexed !== undefined) this.#note(String(values[this.#indexed]), Number(values.seq))
  }

  equals(other: RowSum): boolean {
    return this.#sum === other.#sum && this.#rows === other.#rows
  }

  /** How many rows each value of the indexed column has at certain places, and the sum of those. */
  placesOf(isMeant: (seq: number) => boolean): Map<string, Places> {
    const found = new Map<string, Places>()
    for (const [value, seqs] of this.#seqs) {
      const within = seqs.filter(isMeant)
      if (within.length > 0) found.set(value, { count: within.length, sum: within.reduce((sum, seq) => sum + seq, 0) })
    }
    return found
  }

  #note(value: string, seq: number): void {
    const seqs = this.#seqs.get(value)
    if (seqs === undefined) this.#seqs.set(value, [seq])
    else seqs.push(seq)
  }
}

function hashOf(from: number, text: string): number {
  if (text.length <= shortMax) return mixed(~from, text)
  return Number.parseInt(hash('sha1', `${from} ${text}`, 'hex').slice(0, 12), 16)
}

/** 48 bits of a text, begun with a number. */
function mixed(from: number, text: string): number {
  let low = from | 0
  let high = 0x9e3779b9
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ low, 0x85ebca6b) + unit
  }
  return (low >>> 0) * 2 ** 16 + ((high >>> 16) & 0xffff)
}
