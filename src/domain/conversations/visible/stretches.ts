import type { Stretch } from '../facts.ts'

/** How many versions stretches hold. */
export function countOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, [, from, upto]) => sum + upto - from + 1, 0)
}

/** How many versions are in both. */
export function overlap(some: readonly Stretch[], others: readonly Stretch[]): number {
  const [mine, theirs] = [inOrder(some), inOrder(others)]
  let both = 0
  let at = 0
  for (const [no, from, upto] of mine) {
    while (at > 0 && (theirs[at - 1] as Stretch)[0] === no && (theirs[at - 1] as Stretch)[2] >= from) at -= 1
    for (; at < theirs.length; at++) {
      const [of, first, last] = theirs[at] as Stretch
      if (of > no || (of === no && first > upto)) break
      if (of === no) both += Math.max(0, Math.min(upto, last) - Math.max(from, first) + 1)
    }
  }
  return both
}

function inOrder(stretches: readonly Stretch[]): Stretch[] {
  return [...stretches].sort((a, b) => a[0] - b[0] || a[1] - b[1])
}

/** Whether a version of the conversation of a session is among them. */
export function isVisible(stretches: readonly Stretch[], no: number, version: number): boolean {
  return stretches.some(([of, from, upto]) => of === no && from <= version && version <= upto)
}

/** The same for whoever asks often. */
export function visibility(stretches: readonly Stretch[]): (no: number, version: number) => boolean {
  const all = inOrder(stretches)
  return (no, version) => {
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const [of, from] = all[middle] as Stretch
      if (of < no || (of === no && from <= version)) low = middle + 1
      else high = middle
    }
    const [of, , upto] = all[low - 1] ?? [-1, 0, 0]
    return of === no && version <= upto
  }
}

/** Without the versions of a conversation from one to another; `instead` stands where the first of them stood. */
export function replaced(
  stretches: readonly Stretch[],
  no: number,
  [first, last]: readonly [number, number],
  instead: Stretch,
): Stretch[] {
  const left: Stretch[] = []
  let isDone = false
  const put = () => {
    if (!isDone) left.push(instead)
    isDone = true
  }
  for (const stretch of stretches) {
    const [of, from, upto] = stretch
    if (of !== no || upto < first || from > last) {
      left.push(stretch)
      continue
    }
    if (from < first) left.push([no, from, first - 1])
    put()
    if (upto > last) left.push([no, last + 1, upto])
  }
  return left
}

/** The versions of some stretches that are not in others. */
export function without(some: readonly Stretch[], others: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = []
  const all = inOrder(others)
  for (const [no, from, upto] of some) {
    let next = from
    for (const [of, first, last] of all) {
      if (of !== no || last < next || first > upto) continue
      if (first > next) left.push([no, next, first - 1])
      next = last + 1
    }
    if (next <= upto) left.push([no, next, upto])
  }
  return left
}
