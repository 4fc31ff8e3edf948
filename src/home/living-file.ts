import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Living } from './process-life.ts'

/** Far more than a process says of itself: what is larger is something else. */
const bytesMax = 64 * 1024

/** What may be wanted of such a file, before anything of it is believed, and of what is in it. */
interface Wanted<File> {
  isMeant?(found: Stats): boolean
  isWhole(found: File): boolean
}

/** What a process says of itself in a file of the data folder, as JSON. One that is broken, or none, is as good as none. */
export function readLiving<File extends Living>(path: string, { isMeant, isWhole }: Wanted<File>): File | undefined {
  try {
    // Whoever put a pipe in its place is not waited for.
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = fstatSync(file)
      if (stats.size > bytesMax || isMeant?.(stats) === false) return undefined
      const found = JSON.parse(readFileSync(file, 'utf8'))
      return Number.isSafeInteger(found?.pid) && isWhole(found) ? found : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

/** Whoever reads it finds a whole file or none; it is its owner's alone. */
export function writeLiving(path: string, living: Living): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${living.pid}`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, `${JSON.stringify(living)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

/** Removes the file, if it is the one of this process. */
export function removeLiving(path: string, { pid, life }: Living): void {
  const found = readLiving<Living>(path, { isWhole: () => true })
  if (found?.pid === pid && found.life === life) rmSync(path, { force: true })
}
