import { canonical, type Json } from '../../json.ts'
import { allDots, among, type Dots, dotsThat, hasSeen, nextDot, sawDots } from './dots.ts'

/**
 * A set in which an addition wins over a removal that did not see it. Each addition is a dot of its own; an item is in the set
 * while one of its dots lives. A dot that was seen and does not live was removed: that is all that is left of it.
 */
export interface OrSet {
  readonly kind: 'or-set'
  readonly seen: Dots
  /** By the canonical text of the item, so that equal items are one whatever the order of their members. */
  readonly live: { readonly [item: string]: Dots }
}

/** The items have the dots from `first` on, and replace the dots of theirs that the actor saw: one dot an item is enough. */
export interface SetAdd {
  items: Json[]
  actor: string
  first: number
  replaced: Dots
}

/** Removes what was seen of the items and nothing else. */
export interface SetRemove {
  items: Json[]
  actor: string
  removed: Dots
}

const empty: OrSet = { kind: 'or-set', seen: {}, live: {} }

export function addItems(set: OrSet = empty, { items, actor, first, replaced }: SetAdd): OrSet {
  const live = without(set.live, items, replaced)
  const dots = items.map((_, at) => first + at)
  for (const [at, item] of items.entries()) {
    const dot = first + at
    if (hasSeen(set.seen, actor, dot)) continue
    const text = canonical(item)
    live[text] = allDots([live[text] ?? {}, { [actor]: [dot] }])
  }
  return { kind: 'or-set', seen: sawDots(sawDots(set.seen, replaced), { [actor]: dots }), live }
}

export function removeItems(set: OrSet = empty, { items, removed }: SetRemove): OrSet {
  return { kind: 'or-set', seen: sawDots(set.seen, removed), live: without(set.live, items, removed) }
}

function without(live: OrSet['live'], items: readonly Json[], gone: Dots): { [item: string]: Dots } {
  const left = { ...live }
  const isGone = among(gone)
  for (const item of items) {
    const text = canonical(item)
    const dots = dotsThat(left[text] ?? {}, (actor, dot) => !isGone(actor, dot))
    if (Object.keys(dots).length > 0) left[text] = dots
    else delete left[text]
  }
  return left
}

/** The fact that an actor who sees this set adds items. */
export function addition(set: OrSet = empty, actor: string, given: readonly Json[]): SetAdd {
  const items = distinct(given)
  return { items, actor, first: nextDot(set.seen, actor), replaced: dotsOf(set, items) }
}

/** The fact that an actor who sees this set removes items. */
export function removal(set: OrSet = empty, actor: string, given: readonly Json[]): SetRemove {
  const items = distinct(given)
  return { items, actor, removed: dotsOf(set, items) }
}

function distinct(items: readonly Json[]): Json[] {
  return [...new Map(items.map((item) => [canonical(item), item])).values()]
}

/** The dots by which these items live. */
function dotsOf(set: OrSet, items: readonly Json[]): Dots {
  return allDots(items.map((item) => set.live[canonical(item)] ?? {}))
}

/** In the order of their texts, numbers by size: the same whoever came first. */
export function itemsOf({ live }: OrSet): Json[] {
  return JSON.parse(`[${Object.keys(live).sort(inOrder).join()}]`)
}

/** A set as it is kept beside its items: the dots of each, in the same order. */
export interface KeptSet extends Pick<OrSet, 'kind' | 'seen'> {
  readonly dots: readonly Dots[]
}

export function keptSet({ kind, seen, live }: OrSet): KeptSet {
  const texts = Object.keys(live).sort(inOrder)
  return { kind, seen, dots: texts.map((text) => live[text] ?? {}) }
}

export function setFrom({ kind, seen, dots }: KeptSet, items: readonly Json[]): OrSet {
  return { kind, seen, live: Object.fromEntries(items.map((item, at) => [canonical(item), dots[at] ?? {}])) }
}

function inOrder(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  if (!Number.isNaN(difference)) return difference
  return a < b ? -1 : 1
}
