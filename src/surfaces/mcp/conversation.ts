import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import type { Asker, MethodCall, Offer } from './method-call.ts'
import { FollowedResources } from './methods/followed-resources.ts'
import { methodFor } from './methods/index.ts'
import { forModels, toolRefusal } from './methods/tool-results.ts'
import {
  answer,
  codes,
  failed,
  type Id,
  notification,
  ProtocolError,
  type Read,
  type Reply,
  type Request,
} from './protocol/json-rpc.ts'
import { agreed, type Revision } from './protocol/revisions.ts'
import { clientIn, finished, revisionMeant } from './protocol/stateless.ts'

/** A client that does not wait for its answers is held up, before it holds up all others. */
const callsMax = 1000

/** A call on its way. */
interface Open {
  readonly over: AbortController
  /** Whether somebody still waits for the answer. */
  isWanted: boolean
}

/** One client, whatever carries its messages: what was agreed on, what it has asked, what it follows. */
export class Conversation {
  readonly #offer: Offer
  readonly #calls = new Map<Id, Open>()
  readonly #following: FollowedResources
  #revision: Revision = agreed(undefined)

  /** `announce` sends a message that belongs to no request. */
  constructor(offer: Offer, announce: (message: object) => void) {
    this.#offer = offer
    const tell = (uri: string) => announce(notification('notifications/resources/updated', { uri }))
    this.#following = new FollowedResources(tell, offer.subscriptionsMax)
  }

  /** What was agreed on. */
  get revision(): Revision {
    return this.#revision
  }

  get isBusy(): boolean {
    return this.#calls.size > 0
  }

  /** The reply to a message; undefined where it wants none, or not any more. */
  async hear(read: Read, asker: Asker): Promise<Reply | undefined> {
    if (read === 'reply') return undefined
    if ('request' in read) return this.#reply(read.request, asker)
    if ('notification' in read) {
      const { method, params } = read.notification
      if (method === 'notifications/cancelled') this.#cancel(params.requestId as Id)
      return undefined
    }
    const { id, failure, method, refusal } = read
    // An argument that may not be kept is a matter for the model that made it up.
    if (id === null || method !== 'tools/call' || refusal === undefined) return failed(id, failure)
    return answer(id, toolRefusal(refusal, this.#revision))
  }

  /** Ends all that it follows. */
  unfollow(): void {
    this.#following.end()
  }

  /** Ends all that it follows and waits for; what else was asked is still answered. */
  close(): void {
    this.unfollow()
    for (const open of this.#calls.values()) end(open)
  }

  #cancel(id: Id): void {
    const open = this.#calls.get(id)
    if (open === undefined) return
    open.isWanted = false
    end(open)
  }

  async #reply(request: Request, asker: Asker): Promise<Reply | undefined> {
    const { id } = request
    if (this.#calls.has(id)) return failed(id, { code: codes.request, message: 'A call with this id is on its way.' })
    if (this.#calls.size >= callsMax) return failed(id, { code: codes.internal, message: 'Too many calls at once.' })
    const open: Open = { over: new AbortController(), isWanted: true }
    const leave = () => this.#cancel(id)
    this.#calls.set(id, open)
    asker.gone.addEventListener('abort', leave, { once: true })
    if (asker.gone.aborted) leave()
    try {
      const result = await this.#result(request, asker, open.over.signal)
      return open.isWanted ? answer(id, result) : undefined
    } catch (error) {
      return open.isWanted ? failed(id, this.#failure(error)) : undefined
    } finally {
      this.#calls.delete(id)
      asker.gone.removeEventListener('abort', leave)
    }
  }

  async #result({ method, params, id }: Request, asker: Asker, signal: AbortSignal): Promise<object> {
    const revision = revisionMeant(params) ?? this.#revision
    if (method === 'initialize') this.#revision = agreed(params.protocolVersion)
    const client = clientIn(params)
    if (client !== undefined) asker.meet?.(client)
    const call: MethodCall = {
      id,
      params,
      revision: method === 'initialize' ? this.#revision : revision,
      offer: this.#offer,
      performer: asker.performer,
      stopping: asker.stopping,
      following: this.#following,
      signal,
      notify: asker.notify,
    }
    const result = await methodFor(method, revision)(call)
    return revision.stateless ? finished(method, result, this.#offer) : result
  }

  #failure(error: unknown) {
    if (error instanceof ProtocolError) return error.failure
    if (error instanceof CairnRefusal) {
      const refusal = forModels(error.refusal)
      return { code: codes.params, message: refusal.message, data: refusal.toJSON() }
    }
    this.#offer.report(error)
    return { code: codes.internal, message: 'Internal error.' }
  }
}

function end({ over }: Open): void {
  over.abort(new CairnRefusal(refuse('unavailable', 'The call was interrupted.', 'Call again.')))
}
