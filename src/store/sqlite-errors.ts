import { Refusal, refuse } from '../domain/refusal.ts'

interface SqliteError extends Error {
  errcode: number
}

/** The first byte of a code is its family; the rest tells variants apart (SQLITE_BUSY_RECOVERY, SQLITE_BUSY_SNAPSHOT …). */
function familyOf(error: unknown): number | undefined {
  const code = (error as Partial<SqliteError> | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26

export function isBusy(error: unknown): boolean {
  return familyOf(error) === SQLITE_BUSY
}

/** What a failure of the file means to a user. Anything that is not SQLite's is a bug and passes as it is. */
export function refusalOf(error: unknown, path: string): unknown {
  if (error instanceof Refusal) return error
  switch (familyOf(error)) {
    case SQLITE_BUSY:
      return refuse('busy', `The store ${path} is locked by another process.`, 'Try again in a moment.')
    case SQLITE_FULL:
      return refuse('disk_full', `The disk of ${path} is full; nothing was written.`, 'Free some space and try again.')
    case SQLITE_NOTADB:
      return refuse('storage_error', `${path} is not a Cairn store.`, 'Move that file away, or set another CAIRN_HOME.')
    case SQLITE_CORRUPT:
      return refuse('storage_error', `${path} is damaged.`, 'Restore it from a backup, or set another CAIRN_HOME.')
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return refuse('storage_error', `${path} cannot be opened for writing.`, 'Check its owner, its mode and its disk.')
    case SQLITE_IOERR:
      return refuse(
        'storage_error',
        `The disk of ${path} reported an error; the write was not made.`,
        'Check the disk.',
      )
    default:
      return error
  }
}
