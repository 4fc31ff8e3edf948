import { type Clock, newSecret } from '../../clock.ts'
import { aboutAccess, type TokenShown } from '../../domain/access/questions.ts'
import { type TokenRow, tokens } from '../../domain/access/tables.ts'
import { hashOf, installId, tokenText } from '../../domain/access/token.ts'
import { type Fence, parseFence } from '../../domain/leases/fence.ts'
import { checkHeld } from '../../domain/leases/lease.ts'
import { type LeaseRow, leases } from '../../domain/leases/tables.ts'
import { isoTime } from '../../domain/log/identity.ts'
import type { LeaseTime } from '../../domain/log/lease-time.ts'
import { ask } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import { sessions } from '../../domain/sessions/tables.ts'
import type { Minted, Minting, TokenTools } from '../../operations/store/maintenance-port.ts'
import { type Changes, type Engine, Lost, type Work } from '../../store/engine.ts'
import { lossesMax, lostTooOften } from '../write/losses.ts'

/** The token of whoever owns the data folder: a file, and so not in the store. */
export interface InstallToken {
  /** Puts another token in its place. */
  replace(text: string): void
}

/** A part of an id that short would be too easy to mistype into another. */
const edgeCharsMin = 4

/** Who may use the store besides its owner. What is revoked here is told at once to all who watch it. */
export class Tokens implements TokenTools {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #install: InstallToken | undefined
  readonly #watching = new Map<string, Set<() => void>>()
  readonly #onEnd: (() => void)[] = []

  constructor(engine: Engine, clock: Clock, install?: InstallToken) {
    this.#engine = engine
    this.#clock = clock
    this.#install = install
  }

  /** Where it is bound to a lease, that must be held now: a token that could never write is a mistake. */
  async create({ kind, place, name, run, lease, lasting }: Minting): Promise<Minted | Refusal> {
    const id = `tok_${this.#clock.id()}`
    const secret = newSecret()
    const at = this.#clock.now()
    const fence = lease === undefined ? undefined : parseFence(lease)
    if (fence instanceof Refusal) return fence
    const expires = lasting.ms === undefined ? lasting.until : at + lasting.ms
    if (expires !== undefined && expires <= at) return expiredAlready()
    const { root = null, no = null } = place ?? {}
    const row: TokenRow = {
      id,
      kind,
      root,
      session_no: no,
      name: name ?? null,
      hash: hashOf(secret),
      created_at: at,
      changed_at: at,
      run: run ?? null,
      lease: fence?.name ?? null,
      lease_epoch: fence?.epoch ?? null,
      lease_hash: fence?.hash ?? null,
      expires_at: expires ?? null,
    }
    const session = await this.#write(row)
    return session instanceof Refusal
      ? session
      : { ...shown({ ...row, session, root_id: null }), token: tokenText(id, secret) }
  }

  async list(limit: number, before: string) {
    const rows = await this.#engine.read(ask(aboutAccess.tokens_newest_first, before, limit + 1), false)
    const page = rows.slice(0, limit)
    return { tokens: page.map(shown), next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
  }

  async revoke(named: string): Promise<{ id: string; revoked: true } | Refusal> {
    if (named === installId) return installStays()
    const found = await this.#find(named)
    if (found instanceof Refusal) return found
    const { id } = found
    const refusal = await this.#engine.write([], () => ifThere(id, { deed: 'revoke_token', each: [[id]] }))
    if (refusal) return refusal
    this.ended([id])
    return { id, revoked: true }
  }

  /** The same token with another secret: who has the old one is out. */
  async rotate(named: string): Promise<Minted | Refusal> {
    const secret = newSecret()
    const at = this.#clock.now()
    if (named === installId) return this.#rotateInstall(tokenText(installId, secret), at)
    const found = await this.#find(named)
    if (found instanceof Refusal) return found
    const { session, ...row } = { ...found, hash: hashOf(secret), changed_at: at }
    const refusal = await this.#engine.write([], () => ifThere(row.id, { table: tokens, rows: [row] }))
    if (refusal) return refusal
    this.ended([row.id])
    return { ...shown({ ...row, session, root_id: null }), token: tokenText(row.id, secret) }
  }

  /** The token with this id, as it is now. */
  async byId(id: string): Promise<TokenShown | undefined> {
    return (await this.#engine.read(ask(aboutAccess.token_by_id, id), false))[0]
  }

  /** Whether the time of a token is over, by the clock of this process. */
  hasExpired({ expires_at: at }: Pick<TokenRow, 'expires_at'>): boolean {
    return at !== null && at <= this.#clock.now()
  }

  /** How long a token still counts; undefined for one that lasts. */
  msLeft({ expires_at: at }: Pick<TokenRow, 'expires_at'>): number | undefined {
    return at === null ? undefined : Math.max(0, at - this.#clock.now())
  }

  /** The tokens that are gone when a root is. */
  async ofRoot(root: number): Promise<string[]> {
    return (await this.#engine.read(ask(aboutAccess.tokens_of_root, root), false)).map(({ id }) => id)
  }

  /** Calls once the secret of a token stops counting in this process; others must look again. Gives the way to stop it. */
  watch(id: string, ended: () => void): () => void {
    const watching = this.#watching.get(id) ?? new Set()
    this.#watching.set(id, watching.add(ended))
    return () => {
      if (watching.delete(ended) && watching.size === 0 && this.#watching.get(id) === watching)
        this.#watching.delete(id)
    }
  }

  /** Calls whenever the secret of any token stops counting in this process. */
  onEnd(ended: () => void): void {
    this.#onEnd.push(ended)
  }

  ended(ids: readonly string[]): void {
    for (const ended of this.#onEnd) ended()
    for (const id of ids) {
      const watching = this.#watching.get(id)
      this.#watching.delete(id)
      for (const ended of watching ?? []) ended()
    }
  }

  /** Where another took the name at the same moment, the next look finds it. */
  async #write(row: TokenRow, losses = 0): Promise<string | null | Refusal> {
    try {
      return await this.#engine.write(row.root === null ? [] : [row.root], (_, time) =>
        unlessTaken(row, bound(row, time)),
      )
    } catch (error) {
      if (!(error instanceof Lost)) throw error
      return losses >= lossesMax ? lostTooOften() : this.#write(row, losses + 1)
    }
  }

  #rotateInstall(text: string, at: number): Minted | Refusal {
    if (this.#install === undefined) return refuse('not_found', "There is no owner's token here.", 'Use a server.')
    this.#install.replace(text)
    this.ended([installId])
    const time = isoTime(at)
    return {
      id: installId,
      token: text,
      kind: 'owner',
      name: null,
      session_id: null,
      created_at: time,
      changed_at: time,
      run: null,
      lease: null,
      expires_at: null,
    }
  }

  async #find(named: string): Promise<TokenShown | Refusal> {
    const [exact] = await this.#engine.read(ask(aboutAccess.token_by_id, named), false)
    if (exact) return exact
    const chars = Math.max(named.length, edgeCharsMin)
    const found = await this.#engine.read(ask(aboutAccess.tokens_meant, named, chars), false)
    if (found.length === 1) return found[0] as TokenShown
    if (found.length === 0) return notFound(named)
    const message = `${JSON.stringify(named)} matches ${found.length > 10 ? 'more than 10' : found.length} tokens.`
    const candidates = found.slice(0, 10).map(({ id, name }) => ({ id, name }))
    return refuse('ambiguous_id', message, 'Give the whole id.', { candidates })
  }
}

/** Writes a token, if no other has its name; one that has expired gives its name up, and is gone. */
function* unlessTaken(row: TokenRow, write: Work<string | null | Refusal>): Work<string | null | Refusal> {
  if (row.name === null) return yield* write
  const [found] = yield [{ ask: aboutAccess.tokens_named, with: [row.name] }]
  const others = (found ?? []) as Pick<TokenRow, 'id' | 'expires_at'>[]
  const valid = others.find(({ expires_at: at }) => at === null || at > row.created_at)
  if (valid !== undefined) return { changes: [], out: nameTaken(row.name, valid.id) }
  const written = yield* write
  if (written.out instanceof Refusal || others.length === 0) return written
  return { ...written, changes: [{ deed: 'revoke_token', each: others.map(({ id }) => [id]) }, ...written.changes] }
}

function nameTaken(name: string, id: string): Refusal {
  const hint =
    'Choose another name, give that token a new secret with `token.rotate`, or revoke it first with `token.revoke`.'
  return refuse('already_exists', `There is already a token named ${JSON.stringify(name)}.`, hint, { name, id })
}

/** Writes a token, if the session it is bound to is still there, and its lease held; gives the id of the session. */
function* bound(row: TokenRow, time: LeaseTime): Work<string | null | Refusal> {
  const { root, session_no: no } = row
  const changes = [{ table: tokens, rows: [row] }]
  if (root === null || no === null) return { changes, out: null }
  const [found] = yield [{ table: sessions, key: [root, no] }]
  const [session] = (found ?? []) as { id: string }[]
  if (session === undefined) return { changes: [], out: sessionRemoved() }
  const fence = fenceOf(row)
  const [lease] = fence === undefined ? [] : yield [{ table: leases, key: [root, fence.name] }]
  const held = fence && checkHeld(lease?.[0] as LeaseRow | undefined, fence, time)
  return held instanceof Refusal ? { changes: [], out: held } : { changes, out: session.id }
}

/** What all that is written with a token is held to. */
export function fenceOf(row: TokenRow): Fence | undefined {
  const { lease: name, lease_epoch: epoch, lease_hash: hash } = row
  return name === null || epoch === null || hash === null ? undefined : { name, epoch, hash, ofToken: true }
}

function expiredAlready(): Refusal {
  const hint = 'Choose a time in the future.'
  return refuse('invalid_input', 'That time has already passed.', hint, { path: 'expires_at' })
}

/** Changes a token unless somebody else has revoked it meanwhile. */
function* ifThere(id: string, change: Changes): Work<Refusal | undefined> {
  const [found] = yield [{ table: tokens, key: [id] }]
  return found?.length === 1 ? { changes: [change], out: undefined } : { changes: [], out: notFound(id) }
}

function shown(row: TokenShown) {
  const { id, kind, name, session, run, created_at: created, changed_at: changed, expires_at: expires } = row
  const fence = fenceOf(row)
  return {
    id,
    kind,
    name,
    session_id: session,
    created_at: isoTime(created),
    changed_at: isoTime(changed),
    run,
    lease: fence === undefined ? null : { name: fence.name, epoch: fence.epoch },
    expires_at: expires === null ? null : isoTime(expires),
  }
}

function notFound(named: string): Refusal {
  const message = `There is no token ${JSON.stringify(named.slice(0, 100))}.`
  return refuse('not_found', message, 'List them with `token.list`.')
}

function installStays(): Refusal {
  const hint = 'Give it a new secret with `token.rotate`; its id is install.'
  return refuse('invalid_input', "The owner's token cannot be revoked.", hint, { path: 'id' })
}
