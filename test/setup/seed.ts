import { randomInt } from 'node:crypto'

/**
 * Where random cases start: the same for every ordinary run, so that it fails only for what was changed; another one for
 * every long run, which searches. A failure prints it, and `CAIRN_SEED` repeats it.
 */
export function seedOf(ordinary: number): number {
  if (process.env.CAIRN_SEED !== undefined) return Number(process.env.CAIRN_SEED)
  return process.env.CAIRN_LONG === undefined ? ordinary : randomInt(1_000_000)
}
