import { CairnRefusal } from '../../../domain/log/refusal.ts'
import { agentIn, ownersOnly } from '../../../log/access/authority.ts'
import type { Endpoint } from '../../wire/endpoint.ts'
import type { Metrics } from './metrics.ts'

/** Says that the server is there, to anybody, and nothing else. */
export const health: Endpoint = {
  open: true,
  handle(_request, response) {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"ok":true}')
  },
}

export function metricsPage(metrics: Metrics): Endpoint {
  return {
    open: false,
    async handle(_request, response, _target, caller) {
      if (caller && agentIn(caller.scope)) throw new CairnRefusal(ownersOnly('the metrics'))
      const text = await metrics.text()
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text)
    },
  }
}
