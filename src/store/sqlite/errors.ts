import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { notTaken } from '../engine.ts'

interface SqliteError extends Error {
  errcode: number
  code: string
}

const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
/** The lock of the write-ahead log was lost to others too often. */
const SQLITE_PROTOCOL = 15
/** A row that its table does not take: nobody but an adopted history brings one, unless the file is damaged. */
const SQLITE_CONSTRAINT = 19
const SQLITE_NOTADB = 26
const SQLITE_ERROR = 1

/** A statement that asks for all its rows is told of an error by its text alone. */
const byText: Record<string, number> = {
  'database is locked': SQLITE_BUSY,
  'attempt to write a readonly database': SQLITE_READONLY,
  'disk I/O error': SQLITE_IOERR,
  'database or disk is full': SQLITE_FULL,
  'unable to open database file': SQLITE_CANTOPEN,
  'locking protocol': SQLITE_PROTOCOL,
  'file is not a database': SQLITE_NOTADB,
}

/** The first byte of a code is its family; the rest tells variants apart (SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT …). */
function familyOf(error: unknown): number | undefined {
  const { errcode, code, message = '' } = (error ?? {}) as Partial<SqliteError>
  if (typeof errcode === 'number') return errcode & 0xff
  return code === 'ERR_SQLITE_ERROR' ? (byText[message] ?? SQLITE_ERROR) : undefined
}

export function isBusy(error: unknown): boolean {
  const family = familyOf(error)
  return family === SQLITE_BUSY || family === SQLITE_PROTOCOL
}

export function isOfDisk(error: unknown): boolean {
  return familyOf(error) === SQLITE_IOERR
}

/** What a failure of the file means to a user. Anything that is neither SQLite's nor due to its rows is a bug and passes. */
export function refusalOf(error: unknown, path: string): unknown {
  if (error instanceof Refusal) return error
  if (isUnreadable(error)) return damaged(path, 'a row cannot be read')
  const { syscall, code } = (error ?? {}) as NodeJS.ErrnoException
  if (syscall !== undefined) {
    return refuse('storage_error', `${path} cannot be read (${code}).`, 'Check its owner, its mode and its disk.')
  }
  switch (familyOf(error)) {
    case undefined:
      return error
    case SQLITE_BUSY:
    case SQLITE_PROTOCOL:
      return refuse('busy', `The store ${path} is locked by another process.`, 'Try again in a moment.')
    case SQLITE_FULL:
      return refuse('disk_full', `The disk of ${path} is full; nothing was written.`, 'Free some space and try again.')
    case SQLITE_NOTADB:
      return refuse('storage_error', `${path} is not a Cairn store.`, 'Move that file away, or set another CAIRN_HOME.')
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return refuse('storage_error', `${path} cannot be opened for writing.`, 'Check its owner, its mode and its disk.')
    case SQLITE_IOERR:
      return refuse('storage_error', `The disk of ${path} reported an error; nothing was written.`, 'Check the disk.')
    case SQLITE_CONSTRAINT:
      return damaged(path, (error as SqliteError).message, notTaken)
    default:
      return damaged(path, (error as SqliteError).message)
  }
}

/** A text that should be JSON and is not, or a number that is none of ours. */
function isUnreadable(error: unknown): boolean {
  return error instanceof SyntaxError || (error as NodeJS.ErrnoException | null)?.code === 'ERR_OUT_OF_RANGE'
}

/**
 * Rows of a broken page can be of any shape, and our own code that meets them fails in any way. What the driver or the platform
 * throws has a code, and says by it what it is about.
 */
export function isWithoutCode(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === undefined
}

export function damaged(path: string, what: string, details: object = {}): Refusal {
  const hint = 'Check it with `store.doctor`; restore it from a backup, or set another CAIRN_HOME.'
  return refuse('storage_error', `${path} is damaged: ${what}.`, hint, { path, ...details })
}

export function replaced(path: string): Refusal {
  const message = `${path} or its write-ahead log was removed or replaced while it was open; nothing was written.`
  // The last to close the store writes what is in its log into it; whoever is killed does not, and that may be lost.
  const hint =
    'Put the files back. If they are gone, stop this process and all others that use the store (do not kill them), then start them again.'
  return refuse('storage_error', message, hint, { path })
}

export function outcomeUnknown(path: string): Refusal {
  const message = `The disk of ${path} reported an error while the change was being committed: it may or may not have been made.`
  return refuse('outcome_unknown', message, 'Check the disk, then repeat it with the same `request_id`.', { path })
}
