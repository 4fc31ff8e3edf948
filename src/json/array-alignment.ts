import { canonical, type Json, sameJson } from './value.ts'

/** Which items of one array became which of another, by their places. Items that stayed in order are not mentioned. */
export interface ArrayAlignment {
  readonly removed: readonly number[]
  readonly added: readonly number[]
  /** Equal items that stand in another order now. */
  readonly moved: readonly Pair[]
  /** Different items that stand at the same place between neighbours that stayed. */
  readonly changed: readonly Pair[]
}

type Pair = readonly [before: number, after: number]

/**
 * Equal items are paired, the first of several with the first. The longest run of pairs in the same order stays, the other
 * pairs moved. With no item twice that is the longest common subsequence; with repeats it may be a shorter one, and in return
 * it takes n log n steps for any two arrays, so it needs no bound.
 */
export function arrayAlignment(before: readonly Json[], after: readonly Json[]): ArrayAlignment {
  const pairs = equalPairs(before, after)
  const stayed = new Set(longestRise(pairs))
  const moved = pairs.filter((pair) => !stayed.has(pair))
  const paired = [new Set(pairs.map(([from]) => from)), new Set(pairs.map(([, to]) => to))] as const
  const removed: number[] = []
  const added: number[] = []
  const changed: Pair[] = []
  let [from, to] = [0, 0]
  for (const [nextFrom, nextTo] of [...stayed, [before.length, after.length] as const]) {
    const lost = range(from, nextFrom).filter((at) => !paired[0].has(at))
    const found = range(to, nextTo).filter((at) => !paired[1].has(at))
    const both = Math.min(lost.length, found.length)
    for (let at = 0; at < both; at++) changed.push([lost[at] as number, found[at] as number])
    for (const at of lost.slice(both)) removed.push(at)
    for (const at of found.slice(both)) added.push(at)
    from = nextFrom + 1
    to = nextTo + 1
  }
  return { removed, added, moved, changed }
}

/** In the order of the earlier array. What both begin and end with is paired first: most of two long arrays is the same. */
function equalPairs(before: readonly Json[], after: readonly Json[]): Pair[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && sameJson(before[head] as Json, after[head] as Json)) head++
  let tail = 0
  while (tail < shorter - head && sameJson(before.at(-1 - tail) as Json, after.at(-1 - tail) as Json)) tail++
  const ends: readonly [number, number] = [before.length - tail, after.length - tail]
  const pairs = range(0, head).map((at): Pair => [at, at])
  const places = placesOf(after, head, ends[1])
  for (let from = head; from < ends[0]; from++) {
    const to = places.get(canonical(before[from] as Json))?.pop()
    if (to !== undefined) pairs.push([from, to])
  }
  for (let at = 0; at < tail; at++) pairs.push([ends[0] + at, ends[1] + at])
  return pairs
}

/** Where each item stands, the last place first. */
function placesOf(items: readonly Json[], from: number, end: number): Map<string, number[]> {
  const places = new Map<string, number[]>()
  for (let at = end - 1; at >= from; at--) {
    const text = canonical(items[at] as Json)
    const known = places.get(text)
    if (known === undefined) places.set(text, [at])
    else known.push(at)
  }
  return places
}

/** The longest of the subsequences whose later places rise. */
function longestRise(pairs: readonly Pair[]): Pair[] {
  /** The pair that ends the best run of each length: the one with the lowest later place. */
  const ends: Pair[] = []
  const before = new Map<Pair, Pair | undefined>()
  for (const pair of pairs) {
    const at = firstNotBelow(ends, pair[1])
    before.set(pair, ends[at - 1])
    ends[at] = pair
  }
  const run: Pair[] = []
  for (let pair = ends.at(-1); pair !== undefined; pair = before.get(pair)) run.push(pair)
  return run.reverse()
}

function firstNotBelow(ends: readonly Pair[], place: number): number {
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ends[middle] as Pair)[1] < place) low = middle + 1
    else high = middle
  }
  return low
}

function range(from: number, end: number): number[] {
  return Array.from({ length: end - from }, (_, at) => from + at)
}
