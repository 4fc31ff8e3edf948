import type { PatchOperation } from '../../../json/patch-operation.ts'
import type { Json } from '../../../json/value.ts'

/** One item of a set. It is never changed in place: sets that follow one another share what stays. */
export interface Item {
  /** Canonical, so that equal items are one whatever the order of their members. */
  readonly text: string
  /** As it stands in the list that is read. */
  readonly shown: string
  /** The dots by which it lives, as canonical JSON: of a large set few are ever looked into. */
  readonly dots: string
}

/** Members named like numbers come first in what is read and written as JSON, and in their order in a canonical text. */
export function itemWith(text: string, item: Json, dots: string): Item {
  const shown = typeof item === 'object' && item !== null ? JSON.stringify(JSON.parse(text)) : text
  return { text, shown, dots }
}

/** The place of the first item from `from` on that is not before this one. */
export function placeIn(items: readonly Item[], text: string, from = 0): number {
  let [low, high] = [from, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (inOrder((items[middle] as Item).text, text) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** The items with what these edits leave of theirs: another item in its place, or nothing. */
export function withEdits(items: readonly Item[], edits: ReadonlyMap<string, Item | undefined>): readonly Item[] {
  const pieces: (readonly Item[])[] = []
  let from = 0
  for (const text of [...edits.keys()].sort(inOrder)) {
    const place = placeIn(items, text, from)
    const edited = edits.get(text)
    pieces.push(items.slice(from, place), edited === undefined ? [] : [edited])
    from = items[place]?.text === text ? place + 1 : place
  }
  pieces.push(items.slice(from))
  return pieces.flat()
}

/** What makes the items of one set those of another, as JSON Patches: of the list that is read, and of the list of dots. */
export interface ItemsDifference {
  readonly list: readonly PatchOperation[]
  readonly dots: readonly PatchOperation[]
}

export function differenceOf(before: readonly Item[], after: readonly Item[]): ItemsDifference {
  const list: PatchOperation[] = []
  const dots: PatchOperation[] = []
  let from = 0
  for (let to = 0; from < before.length || to < after.length; ) {
    const [old, now] = [before[from], after[to]]
    if (old === now) {
      from += 1
      to += 1
      continue
    }
    const path = `/${to}`
    const order = old === undefined ? 1 : now === undefined ? -1 : inOrder(old.text, now.text)
    if (order < 0) {
      list.push({ op: 'remove', path })
      dots.push({ op: 'remove', path })
    } else if (now !== undefined) {
      const value = JSON.parse(now.dots) as Json
      if (order > 0) list.push({ op: 'add', path, value: JSON.parse(now.shown) as Json })
      dots.push({ op: order > 0 ? 'add' : 'replace', path, value })
      to += 1
    }
    if (order <= 0) from += 1
  }
  return { list, dots }
}

export function inOrder(a: string, b: string): number {
  if (a === b) return 0
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b)
  return a < b ? -1 : 1
}

/** The text of a number begins with a digit or a minus, and no other text does. */
function isNumber(text: string): boolean {
  const first = text.charCodeAt(0)
  return first === 0x2d || (first >= 0x30 && first <= 0x39)
}
