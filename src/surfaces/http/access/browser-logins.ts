import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { newSecret } from '../../../clock.ts'
import { hashOf } from '../../../domain/access/token.ts'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import { ExpiringMap } from './expiring-map.ts'

/** A link is printed to be used now; it may end up in the history of a shell or a browser. */
const codeMs = 120_000
const codesMax = 100

/** A working day. */
const loginMs = 12 * 3_600_000
const loginsMax = 1000

const cookieName = 'cairn'

/**
 * How a browser logs in: a code that counts once is exchanged for a cookie. Both are known by their hashes, in memory only, and
 * count as long as the owner's token is the one they were made under.
 */
export class Logins {
  readonly #codes: ExpiringMap<string>
  readonly #logins: ExpiringMap<string>

  constructor(now: () => number) {
    this.#codes = new ExpiringMap(codeMs, codesMax, now)
    this.#logins = new ExpiringMap(loginMs, loginsMax, now)
  }

  /** A code that counts once. `under` is the hash of the owner's token. */
  newCode(under: string): string {
    const code = newSecret()
    this.#codes.put(hashOf(code), under)
    return code
  }

  /** The header that sets the cookie, for a code that counts. */
  exchange(code: string, under: string, secure: boolean): string | undefined {
    if (this.#codes.take(hashOf(code)) !== under) return undefined
    const cookie = newSecret()
    this.#logins.put(hashOf(cookie), under)
    const rest = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${loginMs / 1000}${secure ? '; Secure' : ''}`
    return `${cookieName}=${cookie}; ${rest}`
  }

  isKnown(cookie: string, under: string): boolean {
    return this.#logins.get(hashOf(cookie)) === under
  }
}

export function cookieIn({ cookie = '' }: IncomingHttpHeaders): string | undefined {
  const [, value] = new RegExp(`(?:^|;\\s*)${cookieName}=([^;\\s]*)`).exec(cookie) ?? []
  return value
}

/**
 * A browser sends a cookie along whoever made it ask, so a request must show that a page of this server did: by the site the
 * browser says it comes from, and by a header that no form or link can set. Pages, the feed and upgrades, where no header can
 * be set, go without it: browsers tell the site or, at upgrades, the origin, which was checked before.
 */
export function checkOwnPage({ method, headers }: IncomingMessage): Refusal | undefined {
  const { origin, accept, upgrade, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  const isUpgrade = method === 'GET' && upgrade?.toLowerCase() === 'websocket' && origin !== undefined
  if (isUpgrade && (site === undefined || site === 'same-origin')) return undefined
  const isPage = method === 'GET' && mode === 'navigate'
  if (isPage && (site === 'same-origin' || site === 'none')) return undefined
  const isFeed = method === 'GET' && accept === 'text/event-stream'
  if (site === 'same-origin' && (headers['x-cairn'] === '1' || isFeed)) return undefined
  const hint =
    'In a program, send a token instead: Authorization: Bearer TOKEN. In a page of this server, send X-Cairn: 1.'
  return refuse('forbidden', "A browser login works only for requests from this server's own pages.", hint)
}
