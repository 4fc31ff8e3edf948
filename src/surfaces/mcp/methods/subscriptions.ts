import { CairnRefusal } from '../../../domain/log/refusal.ts'
import type { Method, MethodCall } from '../method-call.ts'
import { codes, isObject, notification, ProtocolError } from '../protocol/json-rpc.ts'
import { subscriptionIdName } from '../protocol/stateless.ts'
import { FollowedResources } from './followed-resources.ts'
import { notThere, placeNamed, uriGiven } from './resources.ts'
import { forModels } from './tool-results.ts'

export const subscribe: Method = async (call) => {
  await follow(call.following, uriGiven(call), call)
  return {}
}

export const unsubscribe: Method = (call) => {
  call.following.remove(uriGiven(call))
  return {}
}

async function follow(following: FollowedResources, uri: string, call: MethodCall): Promise<void> {
  try {
    await following.add(uri, placeNamed(uri, call), call.performer)
  } catch (error) {
    if (error instanceof CairnRefusal) throw notThere(uri, call, forModels(error.refusal).toJSON())
    throw error
  }
}

/** Tells of changes until the client has heard enough: the request is open all that time. */
export const listen: Method = async (call) => {
  const uris = urisWanted(call)
  const _meta = { [subscriptionIdName]: call.id }
  const tell = (method: string, params: object) => call.notify(notification(method, { ...params, _meta }))
  const told = (uri: string) => tell('notifications/resources/updated', { uri })
  const following = new FollowedResources(told, call.offer.subscriptionsMax)
  try {
    for (const uri of uris) await follow(following, uri, call)
    const honoured = uris.length > 0 ? { resourceSubscriptions: uris } : {}
    tell('notifications/subscriptions/acknowledged', { notifications: honoured })
    if (uris.length > 0) await oneOf(call.signal, call.stopping)
  } finally {
    following.end()
  }
  return { _meta }
}

function urisWanted({ params: { notifications } }: MethodCall): string[] {
  if (!isObject(notifications)) throw new ProtocolError(codes.params, 'notifications is missing.')
  const { resourceSubscriptions: uris = [] } = notifications
  if (Array.isArray(uris) && uris.every((uri) => typeof uri === 'string')) return [...new Set(uris as string[])]
  throw new ProtocolError(codes.params, 'resourceSubscriptions must be a list of URIs.')
}

/** When one of them is aborted; the other, which may live on, does not remember it. */
function oneOf(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some(({ aborted }) => aborted)) end()
  })
}
