import { projects } from '../../domain/access/tables.ts'
import { foldName } from '../../domain/log/identity.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import { nearWords } from '../../domain/log/text/near-words.ts'
import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import { aboutSessions, type SessionFound } from '../../domain/sessions/questions.ts'
import { quoted } from '../../json/refusals.ts'
import type { Place } from '../../operations/operation.ts'
import type { Engine } from '../../store/engine.ts'
import { agentIn, outside } from '../access/authority.ts'
import type { Caller } from '../access/caller.ts'

/** Fewer characters of an id would be too easy to mistype into another session. */
const edgeCharsMin = 4

/** Ids keep their place for as long as their root is there, so what was found once is remembered; so many at most. */
const rememberedMax = 10_000

/** Finds the session that is meant, however it was named. */
export class Directory {
  readonly #engine: Engine
  readonly #known = new Map<string, Place>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Without waiting, for the id of a session that was met before. */
  known(id: string): Place | undefined {
    return this.#known.get(id)
  }

  /** Below a root that was removed, nothing is where it was; one that comes back has another number. Says whether anything was known. */
  forget(root: number): boolean {
    const before = this.#known.size
    for (const [id, place] of this.#known) if (place.root === root) this.#known.delete(id)
    return this.#known.size < before
  }

  /** What is done at a place, once more where the place that was remembered is none any more: another process removed the root. */
  async at<Out>(find: () => Place | Promise<Place>, perform: (place: Place) => Promise<Out>): Promise<Out> {
    const place = await find()
    try {
      return await perform(place)
    } catch (error) {
      if (!isGone(error) || !this.forget(place.root)) throw error
      const again = await (async () => find())().catch((why: unknown) => {
        throw isGone(why) ? error : why
      })
      return perform(again)
    }
  }

  async find(named: string | undefined, caller: Caller): Promise<Place> {
    const found = await this.#engine.read(this.#finding(named ?? caller.session, caller), false)
    if (!('no' in found))
      throw new CairnRefusal(named === undefined && caller.session !== undefined ? ofCaller(found) : found)
    const place = { root: found.root, rootId: found.root_id, no: found.no }
    if (this.#known.size >= rememberedMax) this.#known.clear()
    this.#known.set(found.id, place)
    return place
  }

  /** Whether a session is this one or stands below it. */
  async isBelow({ root, no }: Place, above: Place): Promise<boolean> {
    if (root !== above.root || no === above.no) return root === above.root
    const line = await this.#engine.read(ask(aboutSessions.sessions_above, root, no), false)
    return line.some((session) => session.no === above.no)
  }

  #finding(wanted: string | undefined, caller: Caller): Asking<SessionFound | Refusal> {
    const agent = agentIn(caller.scope)
    if (agent !== undefined) return findWithin(wanted, agent)
    if (caller.root !== undefined) return findBelow(wanted, caller.root)
    return wanted === undefined ? this.#ofProject(caller) : this.#named(wanted, caller)
  }

  /** The session that is meant otherwise says in which root a name is looked for first. */
  *#named(wanted: string, { session, project }: Caller): Asking<SessionFound | Refusal> {
    if (session !== undefined || project === undefined) return yield* findNamed(wanted, session)
    return yield* findNamed(wanted, (yield* askRow(projects, project))?.session ?? undefined)
  }

  *#ofProject(caller: Caller): Asking<SessionFound | Refusal> {
    if (caller.project === undefined) return noSession([])
    const chosen = yield* chosenIn([caller.worktree, caller.project])
    if (chosen !== undefined && !('no' in chosen && hasEnded(chosen.status))) return chosen
    const open = yield* ask(aboutSessions.unfinished_roots, caller.project)
    const [only, ...others] = originalsOf(open)
    if (only !== undefined && others.length === 0) return only
    // What was chosen and has ended is still meant where nothing else is.
    return chosen !== undefined && open.length === 0 ? chosen : noSession(open)
  }
}

/** The session that was chosen in the first of these folders that has one. */
function* chosenIn(folders: readonly (string | undefined)[]): Asking<SessionFound | Refusal | undefined> {
  for (const folder of folders) {
    const chosen = folder === undefined ? undefined : yield* askRow(projects, folder)
    if (chosen?.session != null) return yield* findNamed(chosen.session)
  }
  return undefined
}

function isGone(error: unknown): boolean {
  return error instanceof CairnRefusal && error.code === 'session_not_found'
}

/** A name is unique within its root only: that of a session which is known goes first. */
function* findNamed(wanted: string, known?: string): Asking<SessionFound | Refusal> {
  const [exact] = yield* ask(aboutSessions.session_by_id, wanted)
  if (exact) return exact
  const bySlug = yield* ask(aboutSessions.sessions_by_slug, wanted)
  if (bySlug.length > 0) return only(wanted, bySlug)
  const folded = foldName(wanted)
  const named = yield* ask(aboutSessions.sessions_by_name, folded)
  if (named.length > 1 && known !== undefined) {
    const [own] = yield* ask(aboutSessions.session_by_id, known)
    const [near] = own === undefined ? [] : yield* ask(aboutSessions.session_named, own.root, folded)
    if (near !== undefined) return near
  }
  if (named.length > 0) return only(wanted, named)
  if (wanted.length < edgeCharsMin) return yield* notFound(wanted)
  const byEdge = yield* ask(aboutSessions.sessions_by_edge, wanted)
  return byEdge.length > 0 ? only(wanted, byEdge) : yield* notFound(wanted)
}

/** An agent looks into its own root and nowhere else. */
function* findWithin(wanted: string | undefined, { root, no }: Place): Asking<SessionFound | Refusal> {
  const found =
    wanted === undefined ? yield* ask(aboutSessions.session_numbered, root, no) : yield* findIn(root, wanted)
  return found.length === 0 ? outside() : only(wanted ?? '', found)
}

/** Where a root is named, nothing else is meant: the same name in another root is another session's. */
function* findBelow(wanted: string | undefined, named: string): Asking<SessionFound | Refusal> {
  const root = yield* findNamed(named)
  if (!('no' in root)) return notTheRoot(named, root)
  if (wanted === undefined || wanted === named) return root
  const found = yield* findIn(root.root, wanted)
  return found.length === 0 ? yield* notIn(wanted, root) : only(wanted, found)
}

/** Those of a root that a name may mean. */
function* findIn(root: number, wanted: string): Asking<readonly SessionFound[]> {
  const [exact] = yield* ask(aboutSessions.session_by_id, wanted)
  if (exact?.root === root) return [exact]
  const bySlug = yield* ask(aboutSessions.session_slugged, root, wanted)
  if (bySlug.length > 0) return bySlug
  const named = yield* ask(aboutSessions.session_named, root, foldName(wanted))
  if (named.length > 0 || wanted.length < edgeCharsMin) return named
  return yield* ask(aboutSessions.sessions_edged, root, wanted)
}

/** Who forks a piece of work leaves it as it is: its names go on meaning what they meant. */
function originalsOf(found: readonly SessionFound[]): readonly SessionFound[] {
  const originals = found.filter(({ root }) => root > 0)
  return originals.length > 0 ? originals : found
}

function only(wanted: string, found: readonly SessionFound[]): SessionFound | Refusal {
  const [first, ...others] = originalsOf(found)
  if (first !== undefined && others.length === 0) return first
  const message = `${JSON.stringify(wanted)} matches ${found.length > 10 ? 'more than 10' : found.length} sessions.`
  return refuse('ambiguous_id', message, 'Give more of the id, or the slug.', { candidates: candidates(found) })
}

function* notFound(wanted: string): Asking<Refusal> {
  const near = nearTo(wanted, yield* ask(aboutSessions.sessions_newest))
  const hint =
    'List sessions with `session.list({ all: true })`, or create one with `session.create`. ' +
    'The first or last four or more characters of an id are enough.'
  return refuse('session_not_found', `There is no session ${shown(wanted)}.`, saidNear(near) + hint, {
    candidates: candidates(near),
  })
}

/** So many names are as many as somebody looks at. */
const nearMax = 3

/** The sessions whose name or slug is nearly what was written. */
function nearTo(wanted: string, known: readonly SessionFound[]): SessionFound[] {
  const folded = foldName(wanted.slice(0, 256))
  return nearWords(folded, originalsOf(known), ({ name }) => foldName(name)).slice(0, nearMax)
}

function saidNear(near: readonly SessionFound[]): string {
  return near.length === 0 ? '' : `Did you mean ${near.map(({ name }) => shown(name)).join(' or ')}? `
}

function shown(name: string): string {
  return quoted(name.slice(0, 100))
}

/** Whoever named no session in the call has to look where else it is named. */
function ofCaller({ code, message, hint, details }: Refusal): Refusal {
  // One who names a root that is not there is told so.
  if (code !== 'session_not_found' || hint.startsWith(naming)) return refuse(code, message, hint, details)
  const where =
    'The call names no session; this one is set by AGENT_SESSION_ID or AGENT_SESSION_NAME, over HTTP by a header.'
  return refuse(code, message, `${where} ${hint}`, { ...details, named_by: 'environment' })
}

const naming = '`AGENT_ROOT_SESSION_ID`'

function notTheRoot(named: string, { code, message, details }: Refusal): Refusal {
  return refuse(
    code,
    message,
    `${naming} names ${JSON.stringify(named.slice(0, 100))}: set it to a root, or remove it.`,
    details,
  )
}

function* notIn(wanted: string, { slug, root }: SessionFound): Asking<Refusal> {
  const near = nearTo(wanted, yield* ask(aboutSessions.sessions_newest_in, root))
  const message = `There is no session ${shown(wanted)} in the root ${slug}.`
  const hint = `Only that root is searched while ${naming} is set: change or remove it.`
  return refuse('session_not_found', message, saidNear(near) + hint, { candidates: candidates(near) })
}

function noSession(open: readonly SessionFound[]): Refusal {
  if (open.length > 1) {
    const message = `${open.length > 10 ? 'More than 10' : open.length} open roots belong to this directory.`
    return refuse('ambiguous_id', message, 'Name one with `session`, or choose it with `project.use`.', {
      candidates: candidates(open),
    })
  }
  const hint = 'Name one with `session` or `AGENT_SESSION_ID`, or create one with `session.create`.'
  return refuse('no_session', 'No session was named, and there is no default session here.', hint, { candidates: [] })
}

function candidates(rows: readonly SessionFound[]) {
  return rows.slice(0, 10).map(({ id, name, slug, status, root }) => ({
    session_id: id,
    session_name: name,
    slug,
    status,
    ...(root < 0 && { kind: 'fork' }),
  }))
}
