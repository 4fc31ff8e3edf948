import { canonical, type Json } from '../../../json/value.ts'
import { allDots, among, type Dots, dotsThat, hasSeen, nextDot, sawDots } from './dots.ts'
import { type Item, itemWith, placeIn, withEdits } from './set-items.ts'

/**
 * A set in which an addition wins over a removal that did not see it. Each addition is a dot of its own; an item is in the set
 * while one of its dots lives. A dot that was seen and does not live was removed: that is all that is left of it.
 */
export interface OrSet {
  readonly kind: 'or-set'
  readonly seen: Dots
  /** In the order of their texts, numbers by size: the same whoever came first. */
  readonly items: readonly Item[]
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

const empty: OrSet = { kind: 'or-set', seen: {}, items: [] }

export function addItems(set: OrSet = empty, { items, actor, first, replaced }: SetAdd): OrSet {
  const left = without(set, replaced)
  const edits = new Map<string, Item | undefined>()
  for (const [at, item] of items.entries()) {
    const text = canonical(item)
    const others = edits.has(text) ? dotsIn(edits.get(text)) : left(text)
    const isNew = !hasSeen(set.seen, actor, first + at)
    edits.set(text, itemOf(text, isNew ? allDots([others, { [actor]: [first + at] }]) : others))
  }
  const added = { [actor]: items.map((_, at) => first + at) }
  return { kind: 'or-set', seen: sawDots(sawDots(set.seen, replaced), added), items: withEdits(set.items, edits) }
}

export function removeItems(set: OrSet = empty, { items, removed }: SetRemove): OrSet {
  const left = without(set, removed)
  const edits = new Map(items.map(canonical).map((text) => [text, itemOf(text, left(text))] as const))
  return { kind: 'or-set', seen: sawDots(set.seen, removed), items: withEdits(set.items, edits) }
}

/** The dots that an item still lives by when these are gone. */
function without(set: OrSet, gone: Dots): (text: string) => Dots {
  const isGone = among(gone)
  return (text) => dotsThat(dotsOfText(set, text), (actor, dot) => !isGone(actor, dot))
}

/** Nothing for an item without a dot: it is not in the set. */
function itemOf(text: string, dots: Dots): Item | undefined {
  return Object.keys(dots).length === 0 ? undefined : itemWith(text, JSON.parse(text) as Json, canonical(dots as Json))
}

function dotsIn(item: Item | undefined): Dots {
  return item === undefined ? {} : (JSON.parse(item.dots) as Dots)
}

function dotsOfText({ items }: OrSet, text: string): Dots {
  const item = items[placeIn(items, text)]
  return item?.text === text ? dotsIn(item) : {}
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
  return allDots(items.map((item) => dotsOfText(set, canonical(item))))
}

/** The text of the plain list that everybody reads. */
export function listText({ items }: OrSet): string {
  return `[${items.map(({ shown }) => shown).join()}]`
}

/** A set as it is kept beside its items: the dots of each, in the same order. */
export interface KeptSet extends Pick<OrSet, 'kind' | 'seen'> {
  readonly dots: readonly Dots[]
}

/** The text of what is kept: the dots of thousands of items are texts already. */
export function keptSetText({ kind, seen, items }: OrSet): string {
  const dots = items.map((item) => item.dots).join()
  return `{"kind":"${kind}","seen":${JSON.stringify(seen)},"dots":[${dots}]}`
}

export function setFrom({ kind, seen, dots }: KeptSet, items: readonly Json[]): OrSet {
  const restored = items.map((item, at) => itemWith(canonical(item), item, canonical((dots[at] ?? {}) as Json)))
  return { kind, seen, items: restored }
}
