import { CairnRefusal } from '../../../domain/log/refusal.ts'
import { agentIn, ownersOnly } from '../../../log/access/authority.ts'
import type { Endpoint } from '../../wire/endpoint.ts'
import type { Metrics } from './metrics.ts'

/** Says that the server is there, to anybody, and what it is short of, and nothing else. One that is short still serves its owner, and so is up. */
export function health(short: () => readonly string[] = () => []): Endpoint {
  return {
    open: true,
    handle(_request, response) {
      const reasons = short()
      const body = reasons.length === 0 ? { ok: true, status: 'ok' } : { ok: true, status: 'degraded', reasons }
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    },
  }
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
