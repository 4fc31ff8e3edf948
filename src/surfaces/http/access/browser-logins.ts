import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { newSecret } from '../../../clock.ts'
import { hashOf } from '../../../domain/access/token.ts'
import { isSame } from '../../../domain/hashing/hashing.ts'
import { type Refusal, refuse } from '../../../domain/log/refusal.ts'
import type { RevokedLogins } from '../../../home/revoked-logins.ts'
import { ExpiringMap } from './expiring-map.ts'

/** A link is printed to be used now; it may end up in the history of a shell or a browser. */
const codeMs = 120_000
const codesMax = 100

/** A working day. */
const loginMs = 12 * 3_600_000

const cookieName = 'cairn'

/** An id, the time in milliseconds since 1970 until which it counts, and the signature of both. */
const cookieForm = /^([\w-]{43})\.(\d{1,15})\.([\w-]{43})$/

/** The token of the owner, in whose name a browser acts. */
interface Owner {
  text(): string
  hash(): string
}

interface LoginParts {
  readonly owner: Owner
  readonly revoked: RevokedLogins
  /** Milliseconds that only ever go forward. */
  readonly now: () => number
  /** Milliseconds since 1970. */
  readonly today: () => number
}

/**
 * How a browser logs in: a code that counts once is exchanged for a cookie. Codes are known by their hashes, in memory only. A cookie
 * is signed with what the owner's token alone makes: a server that is started again knows it, another token ends it, and it can be
 * revoked before its time.
 */
export class Logins {
  readonly #codes: ExpiringMap<string>
  readonly #parts: LoginParts

  constructor(parts: LoginParts) {
    this.#parts = parts
    this.#codes = new ExpiringMap(codeMs, codesMax, parts.now)
  }

  /** A code that counts once. */
  newCode(): string {
    const code = newSecret()
    this.#codes.put(hashOf(code), this.#parts.owner.hash())
    return code
  }

  /** The header that sets the cookie, for a code that counts. */
  exchange(code: string, secure: boolean): string | undefined {
    if (this.#codes.take(hashOf(code)) !== this.#parts.owner.hash()) return undefined
    const said = `${newSecret()}.${this.#parts.today() + loginMs}`
    return setCookie(`${said}.${this.#signature(said)}`, loginMs / 1000, secure)
  }

  isKnown(cookie: string): boolean {
    const read = this.#read(cookie)
    return read !== undefined && read.until > this.#parts.today() && !this.#parts.revoked.has(read.name)
  }

  /** Ends it before its time; the header that takes it from the browser. */
  revoke(cookie: string, secure: boolean): string {
    const read = this.#read(cookie)
    if (read !== undefined) this.#parts.revoked.add(read.name, read.until, this.#parts.today())
    return setCookie('', 0, secure)
  }

  /** Undefined for what was not signed here, or with another token. What is kept of it is the hash of its id. */
  #read(cookie: string): { name: string; until: number } | undefined {
    const [, id, until, signature = ''] = cookieForm.exec(cookie) ?? []
    if (id === undefined || !isSame(this.#signature(`${id}.${until}`), signature)) return undefined
    return { name: hashOf(id), until: Number(until) }
  }

  #signature(said: string): string {
    return createHmac('sha256', this.#parts.owner.text()).update(`login ${said}`).digest('base64url')
  }
}

function setCookie(value: string, seconds: number, secure: boolean): string {
  const rest = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure ? '; Secure' : ''}`
  return `${cookieName}=${value}; ${rest}`
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
