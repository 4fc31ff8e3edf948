import type { IncomingMessage } from 'node:http'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'

/** Who may be meant by a request, and from which pages a browser may send one. */
export interface Gate {
  /** Names of this server, with their port: `127.0.0.1:4747`. */
  readonly hosts: ReadonlySet<string>
  readonly origins: ReadonlySet<string>
}

/** The names under which a server on loopback is reached, and the pages it serves itself, unless it is told which. */
export function gateOf(host: string, port: number, also: readonly string[] = [], origins?: readonly string[]): Gate {
  const names = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host]
  const hosts = [...names.map((name) => `${name}:${port}`), ...also]
  const own = hosts.flatMap((each) => [`http://${each}`, `https://${each}`])
  return { hosts: new Set(hosts), origins: new Set(origins ?? own) }
}

/**
 * Before anything else is looked at: a page of somebody else's that was made to point at this machine sends its own name as
 * the host, and its own origin.
 */
export function checkGate(gate: Gate, { headers, rawHeaders }: IncomingMessage): Refusal | undefined {
  const { host, origin } = headers
  // Of two names, a proxy may have looked at the other.
  if (host === undefined || hostsIn(rawHeaders) > 1 || !gate.hosts.has(host.toLowerCase())) {
    return refuse('host_not_allowed', 'That host name is not allowed.', 'Use http://127.0.0.1 and its port.')
  }
  if (origin === undefined || gate.origins.has(origin.toLowerCase())) return undefined
  return refuse('origin_not_allowed', 'That origin is not allowed.', 'Use this server from its own pages.')
}

/** Names and values take turns; making lists of all headers, as Node would, costs more than the rest of the gate. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts
}

/** Put on every answer. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}
