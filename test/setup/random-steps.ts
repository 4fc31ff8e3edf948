// Random changes of a state, the same for the same seed.
import type { Json } from '../../src/index.ts'
import type { NaiveState, Step } from './naive-state.ts'

/** A number from 0 up to but without the given one. */
export type Draw = (below: number) => number

/** The same numbers for the same seed, for ever. */
export function drawing(seed: number): Draw {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export function randomValue(draw: Draw, depth = 0): Json {
  const pick = draw(depth > 2 ? 5 : 8)
  if (pick === 0) return null
  if (pick === 1) return draw(2) === 0
  if (pick < 4) return draw(100_000) / (draw(3) + 1)
  if (pick === 4) return `${draw(1000)} ü ${'-'.repeat(draw(60))}`
  if (pick === 5) return Array.from({ length: draw(4) }, () => randomValue(draw, depth + 1))
  return Object.fromEntries(Array.from({ length: draw(4) }, () => [`m${draw(6)}`, randomValue(draw, depth + 1)]))
}

/** An object that is worth keeping as differences: more than a kilobyte. */
function largeObject(draw: Draw): { [key: string]: Json } {
  return Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, `${draw(1e6)} ${'*'.repeat(50)}`]))
}

/** Keys begin with the type they mostly have: n, l, o, or x for any. Now and then a step meets a wrong one. */
export function randomStep(draw: Draw, state: NaiveState): Step {
  if (draw(100) < 42) return { op: 'append', key: 'l-endless', items: [`${draw(1e9)} ${'+'.repeat(draw(30))}`] }
  const key = ['n1', 'n2', 'l1', 'l2', 'o1', 'o2', 'x1', 'x2', 'x3'][draw(9)] as string
  const misled = draw(12) === 0
  const kind = misled ? 'nlox'[draw(4)] : key[0]
  if (draw(14) === 0) return { op: 'delete', key }
  if (kind === 'n') return { op: 'increment', key, delta: draw(9) - 4 }
  if (kind === 'l' && draw(8) > 0) {
    return { op: 'append', key, items: Array.from({ length: draw(4) }, () => randomValue(draw)) }
  }
  if (kind === 'o' && draw(10) > 0) {
    const parts = Array.from({ length: draw(3) }, () => [`m${draw(35)}`, draw(4) === 0 ? null : randomValue(draw)])
    return { op: 'merge', key, patch: Object.fromEntries(parts) }
  }
  const value =
    { o: largeObject(draw), l: [randomValue(draw)], n: draw(50) }[key[0] as 'o' | 'l' | 'n'] ?? randomValue(draw)
  return draw(3) === 0 ? { op: 'set', key, value, if_match: state.versionOf(key) + draw(2) } : { op: 'set', key, value }
}
