import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { elapsed, systemClock } from '../../../clock.ts'
import type { TokenShown } from '../../../domain/access/questions.ts'
import { installId, type Presented, readToken } from '../../../domain/access/token.ts'
import { isSame } from '../../../domain/hashing/hashing.ts'
import { CairnRefusal, Refusal, refuse } from '../../../domain/log/refusal.ts'
import { hasControls } from '../../../domain/log/text/plain-text.ts'
import type { InstallTokenFile } from '../../../home/owner-token.ts'
import type { RevokedLogins } from '../../../home/revoked-logins.ts'
import { ownersOnly } from '../../../log/access/authority.ts'
import type { Caller } from '../../../log/access/caller.ts'
import { fenceOf } from '../../../log/access/tokens.ts'
import type { Log } from '../../../log/log.ts'
import { expired, revoked } from '../../wire/admission.ts'
import type { Endpoint } from '../../wire/endpoint.ts'
import { loginRefused } from '../pages/login-refused.ts'
import { htmlType, wantsPage } from '../pages/page.ts'
import { statuses } from '../rest/statuses.ts'
import { checkOwnPage, cookieIn, Logins } from './browser-logins.ts'
import { PerTurnCache } from './per-turn-cache.ts'
import { TokenWatch } from './token-watch.ts'
import { WrongTokens } from './wrong-tokens.ts'

export interface AuthenticationParts {
  readonly log: Pick<Log, 'tokens'>
  readonly install: InstallTokenFile
  readonly revoked: RevokedLogins
  /** Told why the owner's token cannot be used: that names files, and so is not for callers. */
  report(refusal: Refusal): void
  /** Cookies go over TLS only. */
  readonly secure?: boolean | undefined
  /** Whether logins may edit values. */
  readonly edits?: boolean | undefined
  /** Milliseconds that only ever go forward. */
  readonly now?: (() => number) | undefined
  /** Milliseconds since 1970. */
  readonly today?: (() => number) | undefined
  readonly lookMs?: number | undefined
}

/** How soon those who stay connected lose what another process revokes. */
const usualLookMs = 2000

/** The longest time a timer can be set for. */
const timerMsMax = 2 ** 31 - 1

/** By what a caller was let in: it counts as long as its token has this hash, and its login is known. */
interface Held extends Presented {
  readonly cookie?: string
  /** When its time is over, in milliseconds since 1970. */
  readonly expires_at?: number | null
}

interface FoundToken {
  readonly presented: Presented
  readonly row: TokenShown | undefined
  /** Who asks with it and says nothing else of itself. */
  plain?: Caller | undefined
}

/** Said where a login link is worthless, or none was used yet. */
const linkHint =
  'Run `cairn ui` on the machine of this server: it opens a new link, which works once and is valid for two minutes.'

const bearer = /^Bearer +(\S+)$/i

/** Says who asks. Tokens are neither logged nor shown, and those of callers are not kept. */
export class Authentication {
  readonly #parts: AuthenticationParts
  readonly #wrongTokens: WrongTokens
  readonly #logins: Logins
  readonly #watched: TokenWatch<Held>
  readonly #held = new WeakMap<Caller, Held>()
  /** What another process revokes counts to the end of this turn of the event loop; what this one revokes, not even so long. */
  readonly #found = new PerTurnCache<Promise<FoundToken | undefined>>()

  constructor(parts: AuthenticationParts) {
    const { now = elapsed, today = systemClock().now, install, revoked } = parts
    this.#parts = parts
    this.#wrongTokens = new WrongTokens(now)
    this.#logins = new Logins({ owner: install, revoked, now, today })
    this.#watched = new TokenWatch((held) => this.#refusalNow(held), parts.lookMs ?? usualLookMs)
    parts.log.tokens.onEnd(() => this.#found.forget())
  }

  /** Who asks: by a token, or else by the cookie of a login. */
  async authenticate(request: IncomingMessage): Promise<Caller | Refusal> {
    try {
      const { authorization = '' } = request.headers
      const found = await this.#found.of(authorization, () => this.#find(authorization))
      if (found?.row && this.#parts.log.tokens.hasExpired(found.row)) return expired()
      const caller = found && this.#byToken(found, request.headers)
      if (caller !== undefined) return caller
      if (bearer.test(authorization))
        return this.#wrong(request, 'This token', "Use the owner's token, or make another with `token.create`.")
      const cookie = cookieIn(request.headers)
      return cookie === undefined ? missing() : this.#byCookie(cookie, request)
    } catch (error) {
      if (error instanceof CairnRefusal) return error.refusal
      if (error instanceof Refusal) return error
      throw error
    }
  }

  /** Why what a caller was let in by counts no more, whoever may have changed that. Never fails. */
  async refusalOf(caller: Caller): Promise<Refusal | undefined> {
    const held = this.#held.get(caller)
    return held === undefined ? revoked() : this.#refusalNow(held)
  }

  async #refusalNow(held: Held): Promise<Refusal | undefined> {
    if (this.#hasExpired(held)) return expired()
    return (await this.#counts(held)) ? undefined : revoked()
  }

  #hasExpired({ expires_at = null }: Held): boolean {
    return this.#parts.log.tokens.hasExpired({ expires_at })
  }

  async #counts(held: Held): Promise<boolean> {
    try {
      const hash = await this.#hashNow(held.id)
      if (hash === undefined || !isSame(hash, held.hash)) return false
      return held.cookie === undefined || this.#logins.isKnown(held.cookie)
    } catch {
      // A file that cannot be trusted lets nobody in; a store that cannot be read gives nothing away either.
      return held.id !== installId
    }
  }

  async #hashNow(id: string): Promise<string | undefined> {
    if (id === installId) return this.#installHash()
    return (await this.#parts.log.tokens.byId(id))?.hash
  }

  #installHash(): string {
    try {
      return this.#parts.install.hash()
    } catch (error) {
      if (!(error instanceof CairnRefusal)) throw error
      this.#parts.report(error.refusal)
      throw new CairnRefusal(refuse('storage_error', "The owner's token cannot be used.", "See the server's log."))
    }
  }

  /**
   * Calls once the token of a caller is worthless: at once if its time is over or this process made it so, else soon. Gives the way
   * to stop it.
   */
  watch(caller: Caller, ended: (why: Refusal) => void): () => void {
    const held = this.#held.get(caller)
    if (held === undefined) return () => undefined
    const over = (why: Refusal) => {
      leave()
      ended(why)
    }
    const unwatch = this.#parts.log.tokens.watch(held.id, () => over(revoked()))
    const unjoin = this.#watched.join([held.id, held.hash, held.cookie].join(' '), held, over)
    const unwait = this.#atExpiry(held, () => over(expired()))
    const leave = () => {
      unwatch()
      unjoin()
      unwait()
    }
    return leave
  }

  /** A clock that was put back, or a time that no timer can be set for, makes it wait once more. */
  #atExpiry(held: Held, ended: () => void): () => void {
    let timer: NodeJS.Timeout | undefined
    const wait = () => {
      const left = this.#parts.log.tokens.msLeft({ expires_at: held.expires_at ?? null })
      if (left !== undefined) timer = setTimeout(look, Math.min(left, timerMsMax)).unref()
    }
    const look = () => (this.#hasExpired(held) ? ended() : wait())
    wait()
    return () => clearTimeout(timer)
  }

  /** A link that logs a browser in, once and soon. `url` is that of the server. */
  loginLink(url: string): string {
    return new URL(`/login?code=${this.#logins.newCode()}`, url).href
  }

  /** `POST /login`: a new link, for whoever has the owner's token: the one shown at the start counts once, and not for long. */
  newLink(url: () => string): Endpoint {
    return {
      open: false,
      handle: (_request, response, _target, caller) => {
        if (caller?.scope !== 'owner') throw new CairnRefusal(ownersOnly('a link to log in'))
        response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' })
        response.end(JSON.stringify({ login: this.loginLink(url()) }))
      },
    }
  }

  /** `GET /login`: exchanges the code of a link for the cookie, and goes on to `next`. */
  login(next: string): Endpoint {
    return {
      open: true,
      handle: (request, response, url) => {
        const code = url.searchParams.get('code') ?? ''
        this.#installHash()
        const cookie = this.#logins.exchange(code, this.#parts.secure ?? false)
        if (cookie !== undefined) {
          response.writeHead(303, { location: next, 'set-cookie': cookie }).end()
          return
        }
        const refusal = this.#wrong(request, 'This link', linkHint)
        if (!wantsPage(request)) throw new CairnRefusal(refusal)
        response.writeHead(statuses[refusal.code], { 'content-type': htmlType }).end(loginRefused(refusal))
      },
    }
  }

  /** `POST /logout`: ends the login that it comes with, and the feeds that were opened by it. */
  logout(): Endpoint {
    return {
      open: false,
      handle: (request, response, _target, caller) => {
        const cookie = cookieIn(request.headers)
        if (caller?.scope !== 'login' || cookie === undefined) throw new CairnRefusal(noLogin())
        const header = this.#logins.revoke(cookie, this.#parts.secure ?? false)
        response.writeHead(204, { 'set-cookie': header }).end()
      },
    }
  }

  #byToken(found: FoundToken, headers: IncomingHttpHeaders): Caller | undefined {
    if (saysMore(headers)) return this.#letByToken(found, headers)
    found.plain ??= this.#letByToken(found, headers)
    return found.plain
  }

  #letByToken({ presented, row }: FoundToken, headers: IncomingHttpHeaders): Caller | undefined {
    if (row === undefined) return this.#owner(headers, presented, 'owner')
    const actor = row.name === null ? row.kind : `${row.kind}:${row.name}`
    const held = { ...presented, expires_at: row.expires_at }
    if (row.kind === 'reader') {
      return this.#let(held, { principal: row.id, actor, scope: 'reader', ...meant(headers) })
    }
    const { root, root_id: rootId, session_no: no, session } = row
    if (root === null || rootId === null || no === null || session === null) return undefined
    // The token says which session is meant; headers would come after it.
    const caller = { principal: session, actor, scope: { root, rootId, no }, session }
    return this.#let(held, { ...caller, run: row.run ?? undefined, fence: fenceOf(row) })
  }

  /** A token that counts, and its row unless it is the owner's. */
  async #find(authorization: string): Promise<FoundToken | undefined> {
    const presented = readToken(bearer.exec(authorization)?.[1] ?? '')
    if (presented === undefined) return undefined
    const row = presented.id === installId ? undefined : await this.#parts.log.tokens.byId(presented.id)
    const hash = presented.id === installId ? this.#installHash() : row?.hash
    return hash !== undefined && isSame(hash, presented.hash) ? { presented, row } : undefined
  }

  #byCookie(cookie: string, request: IncomingMessage): Caller | Refusal {
    const hash = this.#installHash()
    if (!this.#logins.isKnown(cookie)) return this.#wrong(request, 'This login', linkHint)
    return checkOwnPage(request) ?? this.#owner(request.headers, { id: installId, hash, cookie }, 'login')
  }

  #owner(headers: IncomingHttpHeaders, held: Held, scope: 'owner' | 'login'): Caller {
    const actor = said(headers, 'x-cairn-actor', hasControls) ?? 'http'
    const { edits = false } = this.#parts
    return this.#let(held, { principal: 'owner', actor, scope, edits, ...meant(headers) })
  }

  #let(held: Held, caller: Caller): Caller {
    this.#held.set(caller, held)
    return caller
  }

  #wrong({ socket }: IncomingMessage, what: string, hint: string): Refusal {
    return this.#wrongTokens.refuse(socket.remoteAddress ?? '', what, hint)
  }
}

/** What is meant when a call names no session. */
function meant(headers: IncomingHttpHeaders): Pick<Caller, 'session' | 'root' | 'worktree' | 'project'> {
  const session = said(headers, 'x-agent-session-id') ?? said(headers, 'x-agent-session-name')
  return {
    session,
    root: said(headers, 'x-agent-root-session-id'),
    worktree: said(headers, 'x-cairn-worktree'),
    project: said(headers, 'x-cairn-project'),
  }
}

/** What headers say, and how long that may be: as long as the same in an operation. */
const lengths = {
  'x-agent-session-id': 512,
  'x-agent-session-name': 512,
  'x-agent-root-session-id': 512,
  'x-cairn-worktree': 4096,
  'x-cairn-project': 4096,
  'x-cairn-actor': 256,
}

const names = Object.keys(lengths)

function saysMore(headers: IncomingHttpHeaders): boolean {
  return names.some((name) => headers[name] !== undefined)
}

/** A header holds plain letters only, so others come percent-encoded. */
function said(
  headers: IncomingHttpHeaders,
  name: keyof typeof lengths,
  isUnfit = (text: string) => /\p{Cc}/u.test(text),
): string | undefined {
  const value = headers[name]
  if (typeof value !== 'string' || value === '') return undefined
  const text = decoded(value)
  if (text !== undefined && text.length <= lengths[name] && !isUnfit(text)) return text
  const hint = `Encode it as in a URL: up to ${lengths[name]} characters, and no control characters.`
  throw new CairnRefusal(refuse('bad_request', `The header ${name} cannot be read.`, hint, { path: name }))
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

function noLogin(): Refusal {
  const hint = 'Tokens are revoked with `token.revoke`.'
  return refuse('bad_request', 'This request came with a token, not with a login.', hint)
}

function missing(): Refusal {
  const hint = "Send Authorization: Bearer TOKEN; the owner's token is in the file token of CAIRN_HOME (~/.cairn)."
  return refuse('unauthorized', 'A token is required.', hint)
}
