/** FIPS 180-4, for where no native hash can be called without waiting. */

/** The first 32 bits of the fractional parts of the roots of the first primes: cube roots for rounds, square roots for the start. */
const [rounds, start] = constants()

function constants(): [Uint32Array, Uint32Array] {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32
  return [
    Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  ]
}

export function sha256InJavaScript(content: string | Uint8Array): string {
  const state = Uint32Array.from(start)
  const words = new Uint32Array(64)
  const blocks = padded(typeof content === 'string' ? new TextEncoder().encode(content) : content)
  for (let at = 0; at < blocks.byteLength; at += 64) mix(state, words, blocks, at)
  return Array.from(state, (word) => word.toString(16).padStart(8, '0')).join('')
}

/** The bytes, a one bit, zeros, and the length in bits: whole blocks of 64 bytes. */
function padded(bytes: Uint8Array): DataView {
  const view = new DataView(new ArrayBuffer((bytes.length + 8 + 64) & ~63))
  new Uint8Array(view.buffer).set(bytes)
  view.setUint8(bytes.length, 0x80)
  view.setUint32(view.byteLength - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(view.byteLength - 4, bytes.length << 3)
  return view
}

function mix(state: Uint32Array, words: Uint32Array, blocks: DataView, at: number): void {
  for (let i = 0; i < 16; i++) words[i] = blocks.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const [early, late] = [words[i - 15] as number, words[i - 2] as number]
    const s0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const s1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (rounds[i] as number) + (words[i] as number)) | 0
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] as number) + value
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
