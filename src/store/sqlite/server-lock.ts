import { isBusy, refusalOf } from './errors.ts'
import { makePrivate } from './file.ts'

export interface Held {
  release(): void
}

/** As much of a connection as is needed here. */
interface Locks {
  exec(text: string): void
  close(): void
}

/**
 * A lock of the system on a small database beside the store: it is free again when its process has ended, however that came
 * about.
 */
export function holdBeside(storePath: string, open: (path: string) => Locks): Held | undefined {
  const path = `${storePath}.server.lock`
  makePrivate(path)
  const db = open(path)
  try {
    db.exec('BEGIN EXCLUSIVE')
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if (isBusy(error)) return undefined
    throw refusalOf(error, path)
  }
}

/** The same for a lock that is taken and given back many times. */
export function lockOn(path: string, open: (path: string) => Locks) {
  const db = open(path)
  return {
    take(): boolean {
      try {
        db.exec('BEGIN EXCLUSIVE')
        return true
      } catch (error) {
        if (isBusy(error)) return false
        throw refusalOf(error, path)
      }
    },
    give: () => db.exec('ROLLBACK'),
    close: () => db.close(),
  }
}
