import type { Performer } from '../../client/interface.ts'
import type { FollowedResources } from './methods/followed-resources.ts'
import type { Id, Params } from './protocol/json-rpc.ts'
import type { Revision } from './protocol/revisions.ts'
import type { Tool } from './tools/tool.ts'

/** What is offered, whoever asks. */
export interface Offer {
  readonly tools: readonly Tool[]
  /** Of the program. */
  readonly version: string
  /** How many resources one client may follow. */
  readonly subscriptionsMax: number
  /** Told of faults of our own. */
  report(error: unknown): void
}

/** Who asks: what is asked is done in its name, and what happens meanwhile is told to it. */
export interface Asker {
  readonly performer: Performer
  /** Told what the client calls itself. */
  meet?(name: string): void
  /** Sends a message that belongs to the request. */
  notify(message: object): void
  /** Aborted when nobody is there any more to be answered. */
  readonly gone: AbortSignal
  /** Aborted when this side ends: what has no end of its own ends in order. */
  readonly stopping: AbortSignal
}

/** One request on its way. */
export interface MethodCall {
  readonly id: Id
  readonly params: Params
  readonly revision: Revision
  readonly offer: Offer
  readonly performer: Performer
  readonly stopping: AbortSignal
  /** What the client follows beyond this request. */
  readonly following: FollowedResources
  /** Ends what takes its time. */
  readonly signal: AbortSignal
  notify(message: object): void
}

export type Method = (call: MethodCall) => object | Promise<object>
