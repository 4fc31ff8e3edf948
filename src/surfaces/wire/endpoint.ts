import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../log/access/caller.ts'
import type { Target } from './request-target.ts'

/** Something that is served beside the operations: a page, the feed, a document, another protocol. */
export interface Endpoint {
  /** Needs no token. */
  readonly open: boolean
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: Target,
    caller: Caller | undefined,
  ): void | Promise<void>
}
