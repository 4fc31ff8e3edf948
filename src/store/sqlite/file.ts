import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Copied } from '../engine.ts'
import { damagedFrame, isCut } from './damage.ts'
import { damaged } from './errors.ts'
import { faultsOf } from './integrity.ts'

/** As much of a connection as is needed here. */
interface Asks {
  prepare(text: string): { get(): unknown; all(): unknown[] }
}

/** Below this, two processes that write and checkpoint at the same instant can corrupt a WAL database. */
const oldestSafe = [3, 51, 3]

/** How often a file that looks damaged is looked at. */
const looksMax = 4

/** 'Crns': tells a store of ours from any other SQLite database. */
export const applicationId = 0x43726e73

/**
 * A file is ours if it says so, or if there is nothing in it yet. Asked in this order because another process may be making
 * the store just now: tables and id are committed together.
 */
export function refuseForeign(db: Asks, path: string): void {
  const [table] = db.prepare(`SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' LIMIT 1`).all() as Named[]
  if (table === undefined) return
  const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number }
  if (id === applicationId) return
  throw refuse(
    'storage_error',
    `${path} is a database of another program (it has a table ${table.name}).`,
    'Choose another CAIRN_HOME; nothing in this file was changed.',
  )
}

interface Named {
  readonly name: string
}

/** The folder is for its owner only, and the file is made so before SQLite would make it readable for others. */
export function makePrivate(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    makePrivateFile(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'an error'
    const hint = 'Check who owns the folder and whether it can be written, or set CAIRN_HOME to another one.'
    throw refuse('storage_error', `The store ${path} cannot be opened for writing (${code}).`, hint, { path })
  }
}

/** SQLite would make a file that others can read. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}

/** Every commit is on the disk when it is answered, and readers do not wait for writers. */
export const openSettings =
  'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY'

export function checkSettings(db: Asks): void {
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  const { journal_mode: log } = db.prepare('PRAGMA journal_mode').get() as { journal_mode: string }
  const { synchronous } = db.prepare('PRAGMA synchronous').get() as { synchronous: number }
  const parts = version.split('.').map(Number)
  const differs = oldestSafe.findIndex((part, at) => part !== parts[at])
  const safe = differs < 0 || (parts[differs] ?? 0) > (oldestSafe[differs] ?? 0)
  if (safe && log === 'wal' && synchronous === 2) return
  const found = `SQLite ${version}, journal_mode ${log}, synchronous ${synchronous}`
  const hint = `It needs SQLite ${oldestSafe.join('.')} or newer, WAL and synchronous FULL; network file systems have no WAL.`
  throw refuse('storage_error', `The store cannot work safely here: ${found}.`, hint)
}

export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

/** What can be seen of the file from outside the rows; `found` is what the statement answered that asks for faults, where that was run before. */
export function examineFile(db: Asks, newest: number, found?: readonly object[]): Check[] {
  const faults = faultsOf(db, found)
  const { user_version: format } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  const { synchronous } = db.prepare('PRAGMA synchronous').get() as { synchronous: number }
  const { version } = db.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  return [
    { name: 'file', ok: faults.length === 0, detail: faults.length === 0 ? 'ok' : faults.join('; ') },
    { name: 'format', ok: format === newest, detail: `${format}` },
    { name: 'settings', ok: synchronous === 2, detail: `SQLite ${version}, WAL, synchronous ${synchronous}` },
  ]
}

/**
 * Makes a copy by whatever `write` does, under a name of its own first: a file of the right name is always whole and on disk, and of several
 * that are made at once one gets it. Nothing is removed that was not made here. `write` resolves to how many roots it wrote.
 */
export async function writeWhole(path: string, write: (path: string) => Promise<number>): Promise<Copied> {
  if (existsSync(path)) throw nameTaken(path)
  refuseUnnameable(path)
  const unfinished = newName(path)
  try {
    const roots = await write(unfinished)
    syncPath(unfinished)
    placeAs(unfinished, path)
    return { bytes: statSync(path).size, roots }
  } finally {
    for (const rest of ['', '-wal', '-shm']) removeIfPossible(unfinished + rest)
  }
}

/** What is left of a copy that was made is no reason to say that it was not. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It stays, under a name that says what it is.
  }
}

/** An empty file that nobody else has: another may be making a copy of the same name, or was killed while it did. */
function newName(path: string): string {
  for (let count = 1; count <= unfinishedMax; count++) {
    const name = `${path}${count === 1 ? '' : `.${count}`}.unfinished`
    try {
      closeSync(openSync(name, 'wx', 0o600))
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  const message = `There are already ${unfinishedMax} unfinished copies of ${path}.`
  throw refuse('already_exists', message, `Remove ${path}.*.unfinished if nobody is writing them.`, { path })
}

/** What file systems say that have no links. */
const withoutLinks = ['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']

/** Gives a file another name that nobody has. Where the folder cannot be written to disk, nobody is told that it is there. */
function placeAs(file: string, path: string): void {
  try {
    linkSync(file, path)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw nameTaken(path)
    if (!withoutLinks.includes(code)) throw error
    // A file system without links: an empty file holds the name until the other takes its place.
    closeSync(openSync(path, 'wx', 0o600))
    renameSync(file, path)
  }
  try {
    syncPath(dirname(path))
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

function nameTaken(path: string): Refusal {
  return refuse('already_exists', `${path} already exists.`, 'Choose another name; nothing is overwritten.', { path })
}

function syncPath(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export function refuseMissing(path: string): void {
  const size = sizeOf(path)
  if (size === undefined) throw refuse('not_found', `There is no file ${path}.`, 'Give the path of a backup.', { path })
  // An empty file would be taken for a new store.
  if (size === 0)
    throw refuse('storage_error', `${path} is empty, so it is not a backup.`, 'Give the path of a backup.', { path })
}

/** Undefined where there is no file, or none that this process can see; no file can have some names at all. */
function sizeOf(path: string): number | undefined {
  try {
    return statSync(path).size
  } catch {
    return undefined
  }
}

/** Names of files are no longer than this almost everywhere; while it is written, the copy has a longer one. */
const nameBytesMax = 255
const unfinishedMax = 99
const addedBytes = `.${unfinishedMax}.unfinished-wal`.length

/** Where no file of that name can be, whatever the disk is like. */
function refuseUnnameable(path: string): void {
  const folder = dirname(path)
  const details = { path: 'file' }
  if (!existsSync(folder)) {
    const message = `There is no folder ${folder.slice(0, 200)}.`
    throw refuse('invalid_input', message, 'Create it first, or choose another.', details)
  }
  if (Buffer.byteLength(basename(path)) > nameBytesMax - addedBytes)
    throw refuse('invalid_input', 'The name of the file is too long.', 'Choose a shorter one.', details)
}

export function notWritable(path: string): Refusal {
  return refuse('storage_error', `${path} cannot be written.`, 'Check that its folder exists and has free space.', {
    path,
  })
}

/** Looks again before it says so: another process may have been writing just then. */
export function refuseDamaged(path: string): void {
  for (let look = 0; look < looksMax; look++) {
    const damage = damageOf(path)
    if (damage === undefined) return
    if (look === looksMax - 1) throw damaged(path, damage)
  }
}

function damageOf(path: string): string | undefined {
  const header = startOf(path)
  const { size } = statSync(path)
  const logged = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (logged === 0) return isCut(header, size) ? `it was cut to ${size} bytes` : undefined
  const frame = damagedFrame(readFileSync(`${path}-wal`))
  return frame === undefined ? undefined : `its write-ahead log ${path}-wal is damaged at frame ${frame}`
}

function startOf(path: string): Buffer {
  const file = openSync(path, 'r')
  const header = Buffer.alloc(100)
  const read = readSync(file, header)
  closeSync(file)
  return header.subarray(0, read)
}
