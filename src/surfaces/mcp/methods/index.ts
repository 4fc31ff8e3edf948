import type { Method } from '../method-call.ts'
import { codes, ProtocolError } from '../protocol/json-rpc.ts'
import type { Revision } from '../protocol/revisions.ts'
import { prompt, promptsListed } from './prompts.ts'
import { resourceRead, resourcesListed, templatesListed } from './resources.ts'
import { discovered, initialized } from './server-information.ts'
import { listen, subscribe, unsubscribe } from './subscriptions.ts'
import { called, toolsListed } from './tool-calls.ts'

/** In every revision. */
const always: Readonly<Record<string, Method>> = {
  'tools/list': toolsListed,
  'tools/call': called,
  'resources/list': resourcesListed,
  'resources/templates/list': templatesListed,
  'resources/read': resourceRead,
  'prompts/list': promptsListed,
  'prompts/get': prompt,
}

/** Only where something is agreed on first. */
const inAgreement: Readonly<Record<string, Method>> = {
  ...always,
  initialize: initialized,
  ping: () => ({}),
  'resources/subscribe': subscribe,
  'resources/unsubscribe': unsubscribe,
}

/** Only where each request stands by itself. */
const stateless: Readonly<Record<string, Method>> = {
  ...always,
  'server/discover': discovered,
  'subscriptions/listen': listen,
}

export function methodFor(name: string, revision: Revision): Method {
  const methods = revision.stateless ? stateless : inAgreement
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (method === undefined) throw new ProtocolError(codes.method, `Unknown method ${name.slice(0, 100)}.`)
  return method
}
