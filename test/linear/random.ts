// Numbers that look random and are the same for the same seed, so that what clients ask can be told by it.

export interface Random {
  /** Below `size`, from 0 on. */
  below(size: number): number
  /** One of these, each as often as its share of the sum says. */
  weighted<T>(shares: readonly (readonly [T, number])[]): T
}

export function randomOf(seed: number): Random {
  let state = seed
  // The generator mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    below: (size) => Math.floor(next() * size),
    weighted(shares) {
      let left = next() * shares.reduce((sum, [, share]) => sum + share, 0)
      for (const [one, share] of shares) {
        left -= share
        if (left < 0) return one
      }
      return (shares.at(-1) as (typeof shares)[number])[0]
    },
  }
}
