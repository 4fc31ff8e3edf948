import { type Asking, askRow } from '../../log/questions.ts'
import type { Leaves, Stretch } from '../facts.ts'
import { conversations } from '../tables.ts'
import { below } from './left.ts'
import { replaced } from './stretches.ts'
import { leavesAt } from './visible.ts'

/**
 * What is visible once a summary, which is to be the next version, stands for some of the versions; undefined where none of them is
 * visible. What was said before the first of them is not said again.
 */
export function* askSummedUp(
  root: number,
  no: number,
  [from, upto]: readonly [number, number],
  last: number,
): Asking<Leaves | undefined> {
  const now = leavesAt(yield* askRow(conversations, root, no), no, last)
  const isTouched = ([of, first, end]: Stretch) => of === no && first <= upto && end >= from
  const parts = (yield* below(root, now)).reverse()
  const part = parts.findIndex(({ visible }) => visible.some(isTouched))
  if (part < 0 && !now.visible.some(isTouched)) return undefined
  const instead: Stretch = [no, last + 1, last + 1]
  const first = parts[part]
  if (first === undefined) return { ...now, visible: replaced(now.visible, no, [from, upto], instead) }
  const count = first.visible.findIndex(isTouched)
  const behind = [
    ...parts
      .slice(part)
      .flatMap(({ visible }) => visible)
      .slice(count),
    ...now.visible,
  ]
  const on = count > 0 ? ([first.of[0], first.of[1], count] as const) : first.on
  return { ...(on && { on }), visible: replaced(behind, no, [from, upto], instead) }
}
