import { Refusal } from '../../../domain/log/refusal.ts'
import { depthCeiling } from '../../../json/limits.ts'
import { type Json, readJson } from '../../../json/value.ts'

/** What one side of the protocol says to the other: JSON-RPC 2.0. */

export type Id = string | number
export type Params = { readonly [name: string]: Json }

export interface Request {
  readonly id: Id
  readonly method: string
  readonly params: Params
}

export interface Notification {
  readonly method: string
  readonly params: Params
}

export type Reply = { readonly jsonrpc: '2.0'; readonly id: Id | null } & (
  | { readonly result: object }
  | { readonly error: Failure }
)

export interface Failure {
  readonly code: number
  readonly message: string
  readonly data?: Json
}

export const codes = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  /** What a resource that is not there was answered with until it became a matter of wrong parameters. */
  resource: -32_002,
  /** Headers and body say different things. */
  headers: -32_020,
  revision: -32_022,
} as const

/** An argument of a call in a batch lies so many levels inside of its message. */
const wrappingLevels = 8

/** One message as it was read: what it asks, or why it cannot be taken and whom to tell. */
export type Read =
  | { readonly request: Request }
  | { readonly notification: Notification }
  /** Nothing is ever asked of a client, so there is nothing that an answer of it could be about. */
  | 'reply'
  /** `method` is there where the message could be read but holds what no value may. */
  | { readonly id: Id | null; readonly failure: Failure; readonly method?: string; readonly refusal?: Refusal }

export type Parsed = { readonly one: Read } | { readonly many: readonly Read[] }

export function parse(text: string): Parsed {
  const value = readJson(text, depthCeiling + wrappingLevels)
  if (value instanceof Refusal) return { one: unsound(text, value) }
  if (!Array.isArray(value)) return { one: messageIn(value) }
  if (value.length === 0) return { one: { id: null, failure: wrong(codes.request, 'A batch is empty.') } }
  return { many: value.map(messageIn) }
}

function wrong(code: number, message: string, data?: Json): Failure {
  return data === undefined ? { code, message } : { code, message, data }
}

/** What is JSON to others still says who is to be told. */
function unsound(text: string, refusal: Refusal): Read {
  const lax = parsedLaxly(text)
  if (lax === undefined) return { id: null, failure: wrong(codes.parse, refusal.message, refusal.toJSON()) }
  const { id, method } = lax as { id?: Json; method?: Json }
  const failure = wrong(codes.request, refusal.message, refusal.toJSON())
  return { id: isId(id) ? id : null, failure, refusal, ...(typeof method === 'string' ? { method } : {}) }
}

function parsedLaxly(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return undefined
  }
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

export function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function messageIn(value: Json): Read {
  const bad = (id: Json | undefined, why: string): Read => {
    return { id: isId(id) ? id : null, failure: wrong(codes.request, why) }
  }
  if (!isObject(value)) return bad(undefined, 'A message is an object.')
  const { jsonrpc, id, method, params = {} } = value
  if (jsonrpc !== '2.0') return bad(id, 'A message says "jsonrpc": "2.0".')
  if (method === undefined && ('result' in value || 'error' in value)) return 'reply'
  if (typeof method !== 'string') return bad(id, 'A message names its method.')
  if (!isObject(params)) return bad(id, 'params is an object.')
  if (id === undefined) return { notification: { method, params } }
  return isId(id) ? { request: { id, method, params } } : bad(id, 'An id is a text or a whole number.')
}

export const noBatch: Failure = wrong(codes.request, 'This revision of the protocol has no batches.')

export function answer(id: Id, result: object): Reply {
  return { jsonrpc: '2.0', id, result }
}

export function failed(id: Id | null, error: Failure): Reply {
  return { jsonrpc: '2.0', id, error }
}

export function notification(method: string, params: object): object {
  return { jsonrpc: '2.0', method, params }
}

/** Ends the call that it is thrown in, with an error of the protocol instead of an answer. */
export class ProtocolError extends Error {
  readonly failure: Failure

  constructor(code: number, message: string, data?: Json) {
    super(message)
    this.failure = wrong(code, message, data)
  }
}
