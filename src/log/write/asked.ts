import { hash } from 'node:crypto'
import { type Fence, parseFence } from '../../domain/leases/fence.ts'
import { CairnRefusal, Refusal } from '../../domain/log/refusal.ts'
import { canonical, type Json } from '../../json/value.ts'
import type { AnyOperation, Place } from '../../operations/operation.ts'
import { reachOf } from '../access/authority.ts'
import type { Caller } from '../access/caller.ts'
import type { Call } from './call.ts'

/** The input of an operation, with the members that the log itself looks at. */
export type Asked = { session?: string; request_id?: string; fence?: string; call?: string } & { [name: string]: Json }

/** The lease of the token that the call came with, and the one that it names. */
export function fencesOf({ fence }: Asked, caller: Caller): Fence[] {
  const named = fence === undefined ? undefined : parseFence(fence)
  if (named instanceof Refusal) throw new CairnRefusal(named)
  return [caller.fence, named].filter((each) => each !== undefined)
}

/** What made it happen, as far as that is known: the life of the agent's process, and the tool call in its conversation. */
export function causeOf({ call }: Asked, { run }: Caller): string | null {
  const cause = { ...(run !== undefined && { run }), ...(call !== undefined && { call }) }
  return run === undefined && call === undefined ? null : JSON.stringify(cause)
}

/** 128 bits: nobody finds two requests with one fingerprint. */
const fingerprintDigits = 32

/** A repeat is the same operation with the same input below the same root; which session asks is no matter unless it acts on that. */
export function requestOf(operation: AnyOperation, input: Asked, place: Place, caller: Caller): Call['request'] {
  if (input.request_id === undefined) return undefined
  const { request_id: id, session: _named, fence: _fence, call: _call, ...rest } = input
  const fingerprint = hash(
    'sha256',
    canonical([operation.name, place.rootId, reachOf(operation) === 'root' ? null : place.no, rest]),
    'hex',
  )
  return { caller: caller.principal, id, fingerprint: fingerprint.slice(0, fingerprintDigits) }
}

/** The planted fault `skip-cas`. */
export function withoutExpectations(input: Asked): Asked {
  const { version: _version, create_only: _createOnly, ...rest } = input
  return rest as Asked
}
