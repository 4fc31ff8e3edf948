import { isObject } from '../../../json/merge-patch.ts'
import { pathText, quoted, shortPath } from '../../../json/refusals.ts'
import type { Json, JsonObject } from '../../../json/value.ts'
import type { Deciding } from '../../log/deciding.ts'
import { within } from '../../log/input-schema.ts'
import { type InputLimits, inputCeilings } from '../../log/limits.ts'
import { Refusal, refuse } from '../../log/refusal.ts'
import type { Answer, Ref, Rows } from '../../log/rows.ts'
import { keyRefs, liveKey } from '../key.ts'
import { checkKey } from '../key-name.ts'
import { type Mutation, ofItsKinds } from '../mutation.ts'
import { append } from '../mutations/append.ts'
import { increment } from '../mutations/increment.ts'
import { merge } from '../mutations/merge.ts'
import { remove } from '../mutations/remove.ts'
import { set } from '../mutations/set.ts'
import { checkDotted, mergePatch, refuseOperatorAtTop } from './merge.ts'
import { isRemoval, operationIn } from './merge-operators.ts'

/** How an object of the patch meets the one that is there: it is merged into it, or takes its place. */
export type Strategy = 'deep' | 'shallow'

/** What a patch of the document does to one key. */
export interface KeyChange {
  readonly mutation: Mutation<never, Answer>
  readonly asked: { readonly key: string }
}

/** What a patch says of one key: of all of it, or of places below it by their dotted names. */
type Said = { readonly part: Json } | { readonly below: JsonObject }

const ways = {
  set: ofItsKinds(set),
  remove: ofItsKinds(remove),
  append: ofItsKinds(append),
  increment: ofItsKinds(increment),
  merge: ofItsKinds(merge),
}

/** The keys that a patch touches and what is needed to change them; no others are loaded. */
export function documentPatchRefs(rows: Rows, patch: JsonObject, strategy: Strategy): Ref[] {
  const refs = Object.keys(patch)
    .flatMap((name) => [name, firstPart(name)])
    .filter((key) => checkKey(key, inputCeilings.keyBytes) === undefined)
    .flatMap((key) => keyRefs(rows, key))
  if (rows.missing(refs).length > 0) return refs
  const changes = keyChanges(rows, patch, strategy, inputCeilings)
  if (changes instanceof Refusal) return refs
  return [...refs, ...changes.flatMap(({ mutation, asked }) => mutation.refs(asked as never, rows))]
}

/** A merge patch of the document as changes of keys, in the order in which it names them. */
export function keyChanges(
  rows: Rows,
  patch: JsonObject,
  strategy: Strategy,
  limits: InputLimits,
): KeyChange[] | Refusal {
  const said = refuseOperatorAtTop(patch) ?? saidByKey(rows, patch, limits.keyBytes)
  if (said instanceof Refusal) return said
  const changes: KeyChange[] = []
  for (const [key, of] of said) {
    const change =
      'part' in of
        ? wholeChange(rows, key, of.part, strategy, limits.depth)
        : belowChange(rows, key, of.below, strategy)
    if (change instanceof Refusal) return within(pathText([key]), change)
    if (change !== undefined) changes.push(change)
  }
  return changes
}

/** Makes one of the changes; a refusal says the path from the document. */
export function makeChange({ mutation, asked }: KeyChange, on: Deciding): Answer | Refusal {
  const done: Answer | Refusal = mutation.decide(asked as never, on)
  return done instanceof Refusal ? within(pathText([asked.key]), done) : done
}

function firstPart(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

function saidByKey(rows: Rows, patch: JsonObject, keyBytes: number): Map<string, Said> | Refusal {
  const said = new Map<string, Said>()
  for (const [name, part] of Object.entries(patch)) {
    const isWhole = !name.includes('.') || liveKey(rows, name) !== undefined
    const key = isWhole ? name : firstPart(name)
    const refusal = checkKey(key, keyBytes)
    if (refusal) return within(pathText([key]), refusal)
    const dotted = isWhole ? undefined : checkDotted(key, name.slice(key.length + 1), [])
    if (dotted) return dotted
    const before = said.get(key)
    if (before !== undefined && (isWhole || 'part' in before)) return namedTwice(key)
    const below = before?.below ?? {}
    if (!isWhole) below[name.slice(key.length + 1)] = part
    said.set(key, isWhole ? { part } : { below })
  }
  return said
}

/** Members of an object have no order that could say what goes first. */
function namedTwice(key: string): Refusal {
  const message = `The patch names the key ${quoted(key)} and also a path below it.`
  return refuse('invalid_input', message, 'Put all changes under one name, or send two patches.', {
    path: pathText([key]),
  })
}

function wholeChange(
  rows: Rows,
  key: string,
  part: Json,
  strategy: Strategy,
  levels: number,
): KeyChange | undefined | Refusal {
  const row = liveKey(rows, key)
  const operation = isObject(part) ? operationIn(part, []) : undefined
  if (operation instanceof Refusal) return operation
  if (isRemoval(part)) return row && { mutation: ways.remove, asked: { key } }
  if (operation?.name === '$append') return changing(ways.append, { key, items: operation.operand })
  if (operation?.name === '$increment') return changing(ways.increment, { key, delta: operation.operand })
  if (operation?.name === '$set') return changing(ways.set, { key, value: operation.operand })
  if (!isObject(part) || strategy === 'shallow') return refuseOperatorBelow(part, []) ?? setting(key, part)
  if (row === undefined || row.type === 'object') return changing(ways.merge, { key, patch: part })
  // RFC 7396: what is no object gives way to one.
  const value = mergePatch(undefined, part, levels)
  return value instanceof Refusal ? value : setting(key, value)
}

function belowChange(rows: Rows, key: string, below: JsonObject, strategy: Strategy): KeyChange | undefined | Refusal {
  const parts = Object.entries(below)
  if (liveKey(rows, key) === undefined && parts.every(([, part]) => isRemoval(part))) return undefined
  if (strategy === 'deep') return changing(ways.merge, { key, patch: below })
  const patch: JsonObject = {}
  for (const [name, part] of parts) {
    const operation = isObject(part) ? operationIn(part, [name]) : undefined
    const isOperated = operation !== undefined || part === null
    const refusal =
      operation instanceof Refusal ? operation : isOperated ? undefined : refuseOperatorBelow(part, [name])
    if (refusal) return refusal
    patch[name] = isOperated ? part : { $set: part }
  }
  return changing(ways.merge, { key, patch })
}

function setting(key: string, value: Json): KeyChange {
  return changing(ways.set, { key, value })
}

function changing<Asked extends { key: string }>(mutation: Mutation<Asked, Answer>, asked: Asked): KeyChange {
  return { mutation, asked }
}

/** A value that replaces another whole has nothing that an operator in it could work on. */
function refuseOperatorBelow(value: Json, path: readonly string[]): Refusal | undefined {
  if (!isObject(value)) return undefined
  for (const [name, part] of Object.entries(value)) {
    const place = [...path, name]
    if (name.startsWith('$')) {
      const message = `${shortPath(pathText(path))} holds ${quoted(name)} inside a value that replaces another entirely.`
      const hint = 'Use the strategy deep, or write such a value with {"$set": …}.'
      return refuse('invalid_input', message, hint, { path: pathText(path), operator: name })
    }
    const refusal = refuseOperatorBelow(part, place)
    if (refusal) return refusal
  }
  return undefined
}
