// Secrets are told apart by their hashes, in a time that says nothing of where those differ.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isSame, sha256 } from '../../src/domain/hashing/hashing.ts'
import { committedFiles } from '../setup/source-files.ts'

/** A text that counts how many of its characters were looked at. */
class Watched {
  readonly #text: string
  looks = 0

  constructor(text: string) {
    this.#text = text
  }

  get length(): number {
    return this.#text.length
  }

  charCodeAt(at: number): number {
    this.looks += 1
    return this.#text.charCodeAt(at)
  }

  /** It has all of a text that is looked at when texts are compared. */
  asText(): string {
    return this as unknown as string
  }
}

it('U1 hashes of tokens are compared to their end, wherever they differ', () => {
  const hash = sha256('a secret')
  const others = [0, 1, 32, 63].map((at) => hash.slice(0, at) + (hash[at] === 'a' ? 'b' : 'a') + hash.slice(at + 1))
  for (const [other, same] of [[hash, true], ...others.map((each) => [each, false])] as [string, boolean][]) {
    const [one, two] = [new Watched(hash), new Watched(other)]
    expect(isSame(one.asText(), two.asText())).toBe(same)
    expect([one.looks, two.looks]).toEqual([hash.length, hash.length])
  }
  expect(isSame(hash, hash.slice(0, 63))).toBe(false)
  expect(isSame(hash.slice(0, 63), hash)).toBe(false)
})

it('U1 where tokens and leases are looked at, hashes are compared in no other way', () => {
  const places = /^src\/(domain\/(access|leases)|log\/access|surfaces\/http\/access)\//
  const files = committedFiles().filter((file) => places.test(file))
  expect(files.length).toBeGreaterThan(5)
  const plain = files.filter((file) => /hash\)? *[!=]==? *(?!undefined|null)\w/i.test(readFileSync(file, 'utf8')))
  expect(plain).toEqual([])
})
