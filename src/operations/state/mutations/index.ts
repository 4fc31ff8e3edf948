import { stateAppend } from './append.ts'
import { stateCounterAdd } from './counter-add.ts'
import { stateDelete } from './delete.ts'
import { stateIncrement } from './increment.ts'
import { stateJsonPatch } from './json-patch.ts'
import { stateMax } from './max.ts'
import { stateMerge } from './merge.ts'
import { stateMin } from './min.ts'
import { stateRegisterSet } from './register-set.ts'
import { stateSet } from './set.ts'
import { stateSetAdd } from './set-add.ts'
import { stateSetIfAbsent } from './set-if-absent.ts'
import { stateSetRemove } from './set-remove.ts'

/** What can be done to one key, by the word for it in a batch and over HTTP: the only list. */
export const mutations = {
  set: stateSet,
  delete: stateDelete,
  increment: stateIncrement,
  append: stateAppend,
  merge: stateMerge,
  json_patch: stateJsonPatch,
  min: stateMin,
  max: stateMax,
  set_if_absent: stateSetIfAbsent,
  counter_add: stateCounterAdd,
  set_add: stateSetAdd,
  set_remove: stateSetRemove,
  register_set: stateRegisterSet,
} as const

export type Mutations = typeof mutations

/** `counter_add` as a method: `counterAdd`. */
type Method<Word extends string> = Word extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Method<Rest>>}`
  : Word

/** The same as methods of the library. */
export const mutationMethods = Object.fromEntries(
  Object.entries(mutations).map(([word, operation]) => [methodOf(word), operation]),
) as { readonly [Word in keyof Mutations as Method<Word>]: Mutations[Word] }

function methodOf(word: string): string {
  return word.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
