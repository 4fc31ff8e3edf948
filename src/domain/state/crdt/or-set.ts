import { canonical, type Json } from '../../../json/value.ts'
import { allDots, among, type Dots, dotsThat, hasSeen, nextDot, sawDots } from './dots.ts'

/**
 * A set in which an addition wins over a removal that did not see it. Each addition is a dot of its own; an item is in the set
 * while one of its dots lives. A dot that was seen and does not live was removed: that is all that is left of it.
 */
export interface OrSet {
  readonly kind: 'or-set'
  readonly seen: Dots
  /** By the canonical text of the item, so that equal items are one whatever the order of their members. */
  readonly live: ReadonlyMap<string, Dots>
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

const empty: OrSet = { kind: 'or-set', seen: {}, live: new Map() }

export function addItems(set: OrSet = empty, { items, actor, first, replaced }: SetAdd): OrSet {
  const texts = items.map(canonical)
  const live = without(set.live, texts, replaced)
  for (const [at, text] of texts.entries()) {
    if (hasSeen(set.seen, actor, first + at)) continue
    const others = live.get(text)
    const dot = { [actor]: [first + at] }
    live.set(text, others === undefined ? dot : allDots([others, dot]))
  }
  const added = { [actor]: texts.map((_, at) => first + at) }
  return { kind: 'or-set', seen: sawDots(sawDots(set.seen, replaced), added), live }
}

export function removeItems(set: OrSet = empty, { items, removed }: SetRemove): OrSet {
  return { kind: 'or-set', seen: sawDots(set.seen, removed), live: without(set.live, items.map(canonical), removed) }
}

function without(live: OrSet['live'], texts: readonly string[], gone: Dots): Map<string, Dots> {
  const left = new Map(live)
  const isGone = among(gone)
  for (const text of texts) {
    const before = left.get(text)
    if (before === undefined) continue
    const dots = dotsThat(before, (actor, dot) => !isGone(actor, dot))
    if (Object.keys(dots).length > 0) left.set(text, dots)
    else left.delete(text)
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
  return allDots(items.map((item) => set.live.get(canonical(item)) ?? {}))
}

/** In the order of their texts, numbers by size: the same whoever came first. */
export function itemsOf({ live }: OrSet): Json[] {
  return JSON.parse(`[${[...live.keys()].sort(inOrder).join()}]`)
}

/** A set as it is kept beside its items: the dots of each, in the same order. */
export interface KeptSet extends Pick<OrSet, 'kind' | 'seen'> {
  readonly dots: readonly Dots[]
}

export function keptSet({ kind, seen, live }: OrSet): KeptSet {
  const texts = [...live.keys()].sort(inOrder)
  return { kind, seen, dots: texts.map((text) => live.get(text) ?? {}) }
}

export function setFrom({ kind, seen, dots }: KeptSet, items: readonly Json[]): OrSet {
  return { kind, seen, live: new Map(items.map((item, at) => [canonical(item), dots[at] ?? {}])) }
}

function inOrder(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b)
  return a < b ? -1 : 1
}

/** The text of a number begins with a digit or a minus, and no other text does. */
function isNumber(text: string): boolean {
  return /^[-\d]/.test(text)
}
