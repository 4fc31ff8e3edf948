import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256InJavaScript } from '../../src/domain/hashing/sha256.ts'

function native(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

describe('SHA-256 in JavaScript', () => {
  // FIPS 180-4 and its examples: the empty text, one block, two blocks, and a million characters.
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])('is that of the standard for %.20s', (text, hash) => {
    expect(sha256InJavaScript(text)).toBe(hash)
  })

  it('is the native one for every length around the edges of blocks', () => {
    for (let length = 0; length <= 300; length++) {
      const text = Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7 + length) % 90))).join('')
      expect(sha256InJavaScript(text), `${length} bytes`).toBe(native(text))
    }
  })

  it('is the native one for texts of two, three and four bytes a character, and for half a pair', () => {
    for (const character of ['é', '€', '𝄞', '\ud834', '\udd1e', '\u0000', '\ufeff', 'e\u0301']) {
      for (let count = 0; count <= 70; count++) {
        const text = character.repeat(count)
        expect(sha256InJavaScript(text), JSON.stringify(text)).toBe(native(text))
      }
    }
    const any = fc.array(fc.nat(0xffff), { maxLength: 300 }).map((units) => String.fromCharCode(...units))
    fc.assert(
      fc.property(any, (text) => sha256InJavaScript(text) === native(text)),
      { numRuns: 300, seed: 1 },
    )
  })
})
