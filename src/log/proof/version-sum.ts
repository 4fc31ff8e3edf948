import { hash } from 'node:crypto'
import type { VersionRow } from '../../domain/log/tables.ts'

/** Up to so many characters a hash of our own is faster than a call into the crypto library. */
const shortMax = 128

/** A sum of hashes: equal for equal sets of versions of one root, in whatever order they were added. */
export class VersionSum {
  #sum = 0
  #rows = 0

  /** Written out column by column, as `version_labels` writes it: this runs for every version there is. */
  addRow({ key, seq, version, kind, prior, at, session_no: no, traits, body }: VersionRow): void {
    this.add(key, seq, `${version} ${kind} ${prior} ${at} ${no} ${traits ?? ''}`, body)
  }

  add(key: string, seq: number, label: string, body: string | null): void {
    const place = mixed(seq, key)
    this.#sum = (this.#sum + mixed(place, label) + (body === null ? 0 : hashOf(place, body))) % 2 ** 52
    this.#rows += 1
  }

  equals(other: VersionSum): boolean {
    return this.#sum === other.#sum && this.#rows === other.#rows
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
