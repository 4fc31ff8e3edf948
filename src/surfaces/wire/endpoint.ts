import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../log/access/caller.ts'
import type { Target } from './request-target.ts'

/** What a request to an endpoint is about; `members` are the parts of the path that stand in braces in the endpoint's own. */
export interface EndpointTarget extends Target {
  readonly members: Readonly<Record<string, string>>
}

/** Something that is served beside the operations: a page, the feed, a document, bytes, another protocol. */
export interface Endpoint {
  /** Needs no token. */
  readonly open: boolean
  /** It lasts until somebody closes it: it counts as a feed of its token and not as a request. */
  readonly lasting?: true
  /** Also answers HEAD, as GET without a body. What has no end has no head either; pages that are open to all have one. */
  readonly hasHead?: boolean
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: EndpointTarget,
    caller: Caller | undefined,
  ): void | Promise<void>
}
