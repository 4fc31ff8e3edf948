import { hash } from 'node:crypto'
import { basename } from 'node:path'
import type { Performer } from '../../../client/interface.ts'
import type { LocalOptions, LocalPerformer } from '../../../client/local.ts'
import type { FeedEvent } from '../../../domain/log/event.ts'
import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import { clientName } from '../../../domain/sessions/client-name.ts'
import { hasEnded } from '../../../domain/sessions/lifecycle.ts'
import { ownProcess } from '../../../home/process-life.ts'
import type { Json } from '../../../json/value.ts'
import { reachOf } from '../../../log/access/authority.ts'
import { operations } from '../../../operations/index.ts'
import type { AnyAnswered, AnyOperation, AnyStream } from '../../../operations/operation.ts'

/** The piece of work that a client belongs to, and the session that it was told of or found there. */
interface Home {
  readonly root: string
  readonly session: string
}

export interface Residence {
  /** What is meant at the start. */
  readonly meant: LocalOptions['meant']
  /** It has a session of its own, and needs no other. */
  readonly isSomebody: boolean
  readonly allRoots: boolean
  hasStore(): boolean
}

type Asked = { readonly session?: string } & { readonly [name: string]: Json | undefined }

const { session } = operations

/**
 * One client that stays: with the piece of work that was meant when it began, whatever is chosen or begun elsewhere meanwhile, and
 * within it. With its first change it becomes a child there, unless it has a session of its own, and that ends with it.
 */
export class Resident implements Performer {
  readonly #local: LocalPerformer
  readonly #residence: Residence
  #client = ''
  #home: Promise<Home> | undefined
  #beginning: Promise<Home> | undefined
  #joining: Promise<string | undefined> | undefined
  /** What the next answer to a change has to say besides. */
  #note: string | undefined

  constructor(local: LocalPerformer, residence: Residence) {
    this.#local = local
    this.#residence = residence
  }

  meet(client: string): void {
    this.#client = clientName(client)
  }

  /** Finds where it belongs, once. Where that is refused, it is asked again with the next call. */
  settle(): Promise<Home> {
    this.#home ??= this.#find().catch((error: unknown) => {
      this.#home = undefined
      throw error
    })
    return this.#home
  }

  async execute(operation: AnyAnswered, asked: unknown, signal?: AbortSignal): Promise<Answer> {
    const input = asked as Asked
    if (isBeyond(operation, input)) return this.#reachBeyond(operation, input, signal)
    const home = await this.#homeFor(operation, input)
    if (home === undefined || operation.kind !== 'change') return this.#local.execute(operation, input, signal)
    const own = this.#residence.isSomebody ? undefined : await this.#join(home)
    const answer = await this.#local.execute(operation, asChild(operation, input, home, own), signal)
    return this.#noted(answer)
  }

  async *stream(operation: AnyStream, asked: unknown, signal?: AbortSignal): AsyncGenerator<FeedEvent, void> {
    await this.#homeFor(operation, asked as Asked)
    yield* this.#local.stream(operation, asked, signal)
  }

  /** The child ends with its client. */
  async close(): Promise<void> {
    const child = await this.#joining?.catch(() => undefined)
    if (child !== undefined) await this.#local.execute(session.end, { session: child }).catch(() => undefined)
    await this.#local.close()
  }

  async #find(): Promise<Home> {
    const { meant, hasStore } = this.#residence
    const isTold = meant.session !== undefined || meant.root !== undefined
    if (!isTold && !hasStore()) throw this.#nothingYet()
    const found = await this.#local.execute(session.show, {}).catch((error: unknown) => {
      throw isRefusal(error, 'no_session') ? this.#nothingYet() : error
    })
    return this.#stay(found)
  }

  #stay({ session_id, root_session_id }: Answer): Home {
    const home = { root: String(root_session_id), session: String(session_id) }
    this.#local.mean(this.#residence.allRoots ? { session: home.session } : home)
    return home
  }

  /** Where a call is to be done; undefined where it names a session that may be anywhere. */
  async #homeFor(operation: AnyOperation, input: Asked): Promise<Home | undefined> {
    try {
      return await this.settle()
    } catch (error) {
      const named = sessionNamed(operation, input)
      if (named !== undefined && this.#residence.allRoots) return undefined
      if (named !== undefined && isRefusal(error, 'ambiguous_id')) return this.#choose(named, error)
      if (named === undefined && isRefusal(error, 'no_session') && operation.kind === 'change') return this.#begin()
      throw error
    }
  }

  /** Of several unfinished roots of the project, the first that a call names is the one from then on. */
  async #choose(named: string, otherwise: unknown): Promise<Home> {
    const found = await this.#local.execute(session.show, { session: named })
    if (found.project_dir !== this.#residence.meant.project) throw otherwise
    return this.#keep(found)
  }

  /** Makes the first piece of work of the project. */
  #begin(): Promise<Home> {
    this.#beginning ??= this.#makeRoot().finally(() => {
      this.#beginning = undefined
    })
    return this.#beginning
  }

  async #makeRoot(): Promise<Home> {
    const { project = '' } = this.#residence.meant
    const { sessions } = await this.#local.execute(session.list, { project, all: true, limit: 1 })
    const [last] = sessions as { session_id: string; status: string }[]
    // Somebody else has made it since this one looked.
    if (last !== undefined && !hasEnded(last.status)) return this.#keep(await this.#local.execute(session.show, {}))
    const made = await this.#local.execute(session.create, {
      topic: basename(project) || 'work',
      project,
      request_id: firstRequest(project, last?.session_id),
    })
    this.#note = `There was no session in this folder yet, so the root ${String(made.slug)} was created.`
    return this.#keep(made)
  }

  #keep(found: Answer): Home {
    const home = this.#stay({ ...found, session_id: found.root_session_id as string })
    this.#home = Promise.resolve(home)
    return home
  }

  /** The session that it writes as, from its first change on; undefined where its root has no room for another. */
  #join(home: Home): Promise<string | undefined> {
    this.#joining ??= this.#joinNow(home).catch((error: unknown) => {
      if (error instanceof CairnRefusal && 'limit' in error.details) return undefined
      this.#joining = undefined
      throw error
    })
    return this.#joining
  }

  async #joinNow(home: Home): Promise<string> {
    const asked = { session: home.session, client: this.#client, ...ownProcess() }
    const child = String((await this.#local.execute(session.join, asked)).session_id)
    this.#local.mean({ session: child })
    return child
  }

  /** What is not within one root: the list of all, and a new one. */
  async #reachBeyond(operation: AnyAnswered, input: Asked, signal?: AbortSignal): Promise<Answer> {
    if (this.#residence.allRoots) return this.#local.execute(operation, input, signal)
    if (operation.name !== session.create.name) throw new CairnRefusal(beyond(operation))
    const found = await this.settle().catch((error: unknown) => {
      if (!isRefusal(error, 'no_session')) throw error
    })
    if (found !== undefined) throw new CairnRefusal(beyond(operation))
    const made = await this.#local.execute(operation, { ...input, project: this.#residence.meant.project }, signal)
    this.#home = Promise.resolve(this.#stay(made))
    return made
  }

  #noted(answer: Answer): Answer {
    const note = this.#note
    this.#note = undefined
    return note === undefined ? answer : { ...answer, note }
  }

  #nothingYet(): CairnRefusal {
    const { project = '' } = this.#residence.meant
    const hint = 'The first write creates it: state_set, state_increment or state_append, without session_id.'
    return new CairnRefusal(refuse('no_session', 'There is no session in this folder yet.', hint, { project }))
  }
}

/** Of several clients that find no work at once, the first makes it, and the others get the same: the last root before it names it. */
function firstRequest(project: string, last: string | undefined): string {
  return `first ${hash('sha256', JSON.stringify([project, last ?? null]), 'hex').slice(0, 32)}`
}

/** What the root shares is written as itself, also by one that names the session it found there. */
function asChild(operation: AnyAnswered, input: Asked, home: Home, child: string | undefined): Asked {
  const isMeant = child !== undefined && input.session === home.session && reachOf(operation) === 'root'
  if (!isMeant) return input
  const { session: _, ...rest } = input
  return rest
}

/** The session that a call names as the one it is about. */
function sessionNamed(operation: AnyOperation, input: Asked): string | undefined {
  const acting = operation.kind === 'change' ? operation.acting(input) : input
  return acting === 'new root' ? undefined : acting.session
}

function isBeyond(operation: AnyAnswered, input: Asked): boolean {
  if (operation.kind === 'change') return operation.acting(input) === 'new root'
  return 'about' in operation && operation.about === 'store'
}

function isRefusal(error: unknown, code: CairnRefusal['code']): error is CairnRefusal {
  return error instanceof CairnRefusal && error.code === code
}

function beyond({ name }: AnyAnswered) {
  const hint = 'Work within this root, or ask the owner to start the server with --all-roots.'
  return refuse('forbidden', `${name} is outside the root of this server.`, hint)
}
