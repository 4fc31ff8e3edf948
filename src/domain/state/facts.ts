import type { PatchOperation } from '../../json/patch-operation.ts'
import type { Json, JsonObject } from '../../json/value.ts'
import type { CounterAdd } from './crdt/counter.ts'
import type { SetAdd, SetRemove } from './crdt/or-set.ts'
import type { RegisterSet } from './crdt/register.ts'
import type { LapseSaid } from './expiry.ts'

export const stateStream = 'state'
/** A stream of its own: the version of the state does not move when a schema does. */
export const schemaStream = 'schema'

export type StateFact =
  | { type: 'init'; data: { payload: JsonObject } }
  | { type: 'full_replace'; data: { payload: JsonObject } }
  | { type: 'set'; key: string; data: { value: Json } & LapseSaid }
  | { type: 'lapsed'; key: string; data: { reason: 'expired'; expires_at: string } | { reason: 'session_ended' } }
  | { type: 'delete'; key: string; data: Record<string, never> }
  | { type: 'increment'; key: string; data: { delta: number } }
  | { type: 'append'; key: string; data: { items: Json[] } }
  | { type: 'patch'; key: string; data: { patch: JsonObject } }
  | { type: 'json_patch'; key: string; data: { operations: readonly PatchOperation[] } }
  | { type: 'min'; key: string; data: { value: number } }
  | { type: 'max'; key: string; data: { value: number } }
  | { type: 'counter_add'; key: string; data: CounterAdd }
  | { type: 'set_add'; key: string; data: SetAdd }
  | { type: 'set_remove'; key: string; data: SetRemove }
  | { type: 'register_set'; key: string; data: RegisterSet }
  | { type: 'schema_set'; data: { target: string; prefix: boolean; schema: Json } }
  | { type: 'schema_deleted'; data: { target: string; prefix: boolean } }

declare module '../log/event.ts' {
  interface FactsOfParts {
    state: StateFact
  }
}
