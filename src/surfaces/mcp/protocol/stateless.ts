import type { Json } from '../../../json/value.ts'
import type { Offer } from '../method-call.ts'
import { serverInfo } from '../methods/server-information.ts'
import { codes, isObject, type Params, ProtocolError } from './json-rpc.ts'
import { type Revision, revisionNames, revisionOf } from './revisions.ts'

/** What a request says about itself where nothing was agreed on before. */
const prefix = 'io.modelcontextprotocol/'

export function metaIn(params: Params, name: string): unknown {
  return isObject(params._meta) ? params._meta[`${prefix}${name}`] : undefined
}

/** The revision that a request names by itself; undefined where it does not, because it was agreed on. */
export function revisionMeant(params: Params): Revision | undefined {
  const named = metaIn(params, 'protocolVersion')
  if (named === undefined) return undefined
  const revision = revisionOf(named)
  if (revision?.stateless) return revision
  const supported = revisionNames.filter((name) => revisionOf(name)?.stateless)
  throw new ProtocolError(codes.revision, `Unsupported protocol version: ${String(named).slice(0, 64)}`, {
    supported,
    requested: String(named).slice(0, 64),
  })
}

/** What the client calls itself: said once where something is agreed on, and else with each request. */
export function clientIn(params: Params): string | undefined {
  const said = params.clientInfo ?? (metaIn(params, 'clientInfo') as Json | undefined)
  return isObject(said) && typeof said.name === 'string' ? said.name : undefined
}

/** Answers that a client may keep for a while: these never change while the server runs. */
const lasting = ['server/discover', 'tools/list', 'resources/templates/list', 'prompts/list']
/** And these change at any time. */
const passing = ['resources/list', 'resources/read']
const lastingMs = 3_600_000

/** What every result says where each request stands by itself. */
export function finished(method: string, result: object, offer: Offer): object {
  const kept = lasting.includes(method)
  const cache = kept || passing.includes(method) ? { ttlMs: kept ? lastingMs : 0, cacheScope: 'private' } : {}
  const { _meta = {} } = result as { _meta?: object }
  return {
    resultType: 'complete',
    ...cache,
    ...result,
    _meta: { ..._meta, [`${prefix}serverInfo`]: serverInfo(offer) },
  }
}

export const subscriptionIdName = `${prefix}subscriptionId`
