import type { PatchOperation } from '../../../json/patch-operation.ts'
import type { Json } from '../../../json/value.ts'
import type { Counter } from './counter.ts'
import type { OrSet } from './or-set.ts'
import { differenceOf } from './set-items.ts'
import { type Crdt, shownText } from './state.ts'

/** What makes one state of a conflict-free value another, as JSON Patches: of the value that is read, and of what is kept beside it. */
export interface CrdtDifference {
  readonly value: readonly PatchOperation[]
  readonly kept: readonly PatchOperation[]
}

/** Undefined where there is no difference worth keeping: of a register nothing stays. */
export function crdtDifference(before: Crdt, after: Crdt): CrdtDifference | undefined {
  if (before.kind === 'or-set' && after.kind === 'or-set') return setDifference(before, after)
  if (before.kind === 'lww-register' || after.kind === 'lww-register') return undefined
  if (before.kind === 'or-set' || after.kind === 'or-set') return undefined
  return counterDifference(before, after)
}

function setDifference(before: OrSet, after: OrSet): CrdtDifference {
  const { list, dots } = differenceOf(before.items, after.items)
  const below = dots.map((operation) => ({ ...operation, path: `/dots${operation.path}` }))
  return { value: list, kept: [...membersChanged('seen', before.seen, after.seen), ...below] }
}

function counterDifference(before: Counter, after: Counter): CrdtDifference {
  const value = JSON.parse(shownText(after)) as Json
  return { value: [{ op: 'replace', path: '', value }], kept: membersChanged('totals', before.totals, after.totals) }
}

type Members = { readonly [actor: string]: readonly number[] }

/** Actors come and never go. What stays the same is the same object. */
function membersChanged(name: string, before: Members, after: Members): PatchOperation[] {
  return Object.entries(after)
    .filter(([actor, numbers]) => before[actor] !== numbers)
    .map(([actor, numbers]) => ({
      op: 'add',
      path: `/${name}/${actor.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      value: [...numbers],
    }))
}
