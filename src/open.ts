import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { type BlobMethods, streamOf } from './client/blob.ts'
import { forCaller } from './client/for-caller.ts'
import { type Cairn, type Interface, interfaceOf, type Performer } from './client/interface.ts'
import { systemClock } from './clock.ts'
import { hashWith } from './domain/hashing/hashing.ts'
import { text } from './domain/log/input-schema.ts'
import type { Parts } from './domain/log/part.ts'
import { CairnRefusal, Refusal, refuse } from './domain/log/refusal.ts'
import { refuseControls } from './domain/log/text/plain-text.ts'
import { parts as productParts } from './domain/parts.ts'
import type { ReachedStore } from './folder/bare/session-state.ts'
import type { FolderTools } from './folder/folder-writer.ts'
import { SessionFolders } from './folder/session-folders.ts'
import { type Config, type ConfigOptions, loadConfig } from './home/config.ts'
import { hasStore } from './home/destination.ts'
import { FileModes } from './home/file-modes.ts'
import { hostWith } from './home/git/repository.ts'
import { InstallTokenFile } from './home/owner-token.ts'
import { hostHere, isGone } from './home/process-life.ts'
import { inFull } from './json/json-text.ts'
import type { Caller } from './log/access/caller.ts'
import type { BlobToPut } from './log/blobs/blobs.ts'
import { Log } from './log/log.ts'
import { operations } from './operations/index.ts'
import type { AnyAnswered, AnyStream } from './operations/operation.ts'
import type { Engine } from './store/engine.ts'
import { type Migration, migrations } from './store/migrations.ts'
import type { SqliteOptions } from './store/sqlite/lock.ts'

export type { Cairn } from './client/interface.ts'

export interface OpenOptions extends ConfigOptions {
  /** The session meant when a call names none. */
  readonly session?: string | undefined
  /** The id of the root that all names are looked for in, where one is named. */
  readonly root?: string | undefined
  /** The worktree one is in, where it is not the project itself: what was chosen there goes first. */
  readonly worktree?: string | undefined
  /** The working directory whose chosen or only unfinished root is meant when there is no session either. */
  readonly project?: string | undefined
  /** Stands in the log as the author; `library` unless given. */
  readonly actor?: string | undefined
  /** A process that lives for one command may sleep while it waits for the store; a server may not. */
  readonly waits?: 'blocking' | 'yielding'
  /** What the product is made of; a part of one's own is added to `partList`. @internal */
  readonly parts?: Parts
  /** Steps that make the tables of parts of one's own, after those of the product. @internal */
  readonly migrations?: readonly Migration[]
  /** Looks through a whole file before it is used. */
  readonly thorough?: boolean
}

/** It stands in every event, in tables and in terminals. */
const actorName = text('Who acts.', { max: 256, check: refuseControls('The actor', 'actor') })

/** A store that was opened, and who asks. */
export interface OpenedLog {
  readonly log: Log
  readonly caller: Caller
}

/** Opens the store of a data folder, or the Postgres of a URL, in this process. */
export function openCairn(options: OpenOptions = {}): Promise<Cairn> {
  return opening(options)
}

const opening = forCaller(async (options: OpenOptions): Promise<Cairn> => {
  const { log, caller } = await openLog(options)
  const methods = methodsOf({ log, caller })
  return {
    ...methods,
    blob: { ...methods.blob, ...blobsOf({ log, caller }) },
    follow: ({ session, ...wanted } = {}) => log.follow(session, wanted, caller),
    followAll: (options = {}) => log.followAll(options, caller),
    close: () => log.close(),
  }
})

/** Everything that can be asked of a log, asked by one caller. */
export function methodsOf(opened: OpenedLog): Interface {
  return interfaceOf<AnyAnswered, AnyStream>(operations, performerOf(opened))
}

/** Bytes in and out of a log, as one caller. */
export function blobsOf({ log, caller }: OpenedLog): BlobMethods {
  return {
    put: forCaller(async (input) => {
      // Streams of the platform can be iterated here, of which their type says nothing.
      const { hash, bytes } = await log.blobs.put(input as BlobToPut, caller)
      return { hash, bytes }
    }),
    get: forCaller(async ({ session, hash }) => {
      const found = await log.blobs.get(session, hash, caller)
      return { hash, bytes: found.bytes, content: streamOf(found.chunks()) }
    }),
  }
}

/** Asks a log as one caller. */
export function performerOf({ log, caller }: OpenedLog): Performer {
  return {
    async execute(operation, input, signal) {
      const answer = await log.execute(operation, input, caller, signal)
      return operation.large ? inFull(answer) : answer
    },
    stream: (operation, input, signal) => log.stream(operation, input, caller, signal),
  }
}

export async function openLog(options: OpenOptions): Promise<OpenedLog> {
  const config = loadConfig(options)
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const actor = actorName.check(options.actor ?? 'library', 'actor')
  if (actor instanceof Refusal) throw new CairnRefusal(actor)
  hashWith((content) => hash('sha256', content, 'hex'))
  const { waits = 'yielding', thorough = false, parts = productParts } = options
  const layout = { tables: parts.tables, migrations: [...migrations, ...(options.migrations ?? [])] }
  const engine = await openEngine(config, { waits, thorough, layout }).catch((error: unknown) => {
    throw error instanceof Refusal ? new CairnRefusal(error) : error
  })
  const { session, root, worktree, project } = options
  const caller: Caller = { principal: 'owner', actor, scope: 'owner', session, root, worktree, project }
  const owner = {
    token: new InstallTokenFile(config.home),
    files: new FileModes(config.home, config.store),
    host: hostWith(config.home),
  }
  const log = new Log(engine, systemClock(), parts, config.limits, owner)
  keepFolders(log, parts)
  // Whoever opens a store finds nothing held by those who are gone. What goes wrong with it is no matter of what is asked next.
  await endGoneHere(log).catch(() => undefined)
  return { log, caller }
}

const answered: ReadonlyMap<string, AnyAnswered> = new Map(
  Object.values(operations)
    .flatMap((verbs) => Object.values(verbs) as (AnyAnswered | AnyStream)[])
    .flatMap((each) => (each.kind === 'stream' ? [] : [[each.name, each]])),
)

/** Folders are written by whoever commits. What goes wrong with that is told by the answers, and by doctor. */
function keepFolders(log: Log, parts: Parts): void {
  const { id, jitter, now } = systemClock()
  // A file that lies in a folder acts as the root that the folder is of: it reaches no other.
  const perform: FolderTools['perform'] = async ({ root, id: rootId }, name, input, actor) => {
    const operation = answered.get(name)
    const hint = 'Check its name: cairn help --all.'
    if (operation === undefined) throw new CairnRefusal(refuse('bad_request', `There is no operation ${name}.`, hint))
    const caller = { principal: `folder ${rootId}`, actor, scope: { root, rootId, no: 0 }, keepsFolder: true } as const
    return log.execute(operation, { session: rootId, ...input }, caller)
  }
  // The end of an id is random.
  const newReplica = () => id().slice(-12)
  const openLock = async (path: string) => (await import('./store/sqlite/engine.ts')).fileLock(path)
  log.keepFolders(
    hostHere(),
    (records) => new SessionFolders(records, { parts, newReplica, jitter, openLock, now, perform }),
  )
}

/** Ends the sessions of processes of this machine that are gone. */
export function endGoneHere(log: Log): Promise<number> {
  return log.endGone(hostHere(), isGone)
}

/** What stands before the colon: a password may stand behind it, wherever the mistake is. */
function shownAddress(store: string): string {
  const scheme = /^[a-z0-9+.-]{1,32}:/i.exec(store)?.[0]
  return scheme === undefined ? 'This text' : `A store that begins with ${scheme}`
}

/** Each engine is loaded only where it is used: a driver costs time and memory at every start. */
async function openEngine(config: Config, how: Pick<SqliteOptions, 'waits' | 'thorough' | 'layout'>): Promise<Engine> {
  if (/^postgres(ql)?:\/\//.test(config.store)) {
    const { PostgresEngine } = await import('./store/postgres/engine.ts')
    return PostgresEngine.open(config.store, how.layout)
  }
  if (!config.store.startsWith('sqlite:')) {
    const hint = 'Give sqlite:PATH or postgres://USER@HOST/DATABASE.'
    throw refuse('invalid_input', `${shownAddress(config.store)} is not a store URL.`, hint)
  }
  const { SqliteEngine } = await import('./store/sqlite/engine.ts')
  return SqliteEngine.open({ path: config.store.slice('sqlite:'.length), clock: systemClock(), ...how })
}

/** The store that has the root of a session folder; undefined where there is none, or it does not know that. */
export async function storeOf(
  dir: string,
  root: string | undefined,
  options: OpenOptions,
): Promise<ReachedStore | undefined> {
  const { home, store } = options
  if (!hasStore({ home, store, token: undefined, url: undefined, serverFile: undefined })) return undefined
  const opened = await openLog({ actor: 'session-state', ...options }).catch(() => undefined)
  if (opened === undefined) return undefined
  const { log, caller } = opened
  const found = await log.head(root ?? basename(dir), caller).catch(() => undefined)
  if (found !== undefined) {
    const perform: ReachedStore['perform'] = (operation, input) =>
      log.execute(operation, { ...input, session: found.rootId }, caller)
    return { root: found.rootId, perform, close: () => log.close() }
  }
  await log.close()
  return undefined
}
