import { closeSync, constants, fstatSync, openSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs'

const { O_NOFOLLOW, O_NONBLOCK } = constants

/**
 * Opens a file that only Cairn should have put there. An agent of the same user may have put something else in its place: a link is
 * not followed, and a pipe nobody writes to does not hold up the server. Undefined where there is no plain file.
 */
export function openPlain(path: string, flags: number): number | undefined {
  let file: number
  try {
    file = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600)
  } catch (error) {
    if (isNoPlainFile(error)) return undefined
    throw error
  }
  if (fstatSync(file).isFile()) return file
  closeSync(file)
  return undefined
}

/** Nothing there, a link, a folder, a pipe or a socket. */
function isNoPlainFile(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'ENXIO', 'EMLINK'].includes(code)
}

/** The bytes of a file, at most so many, and how many it has. */
export function readPlain(path: string, bytesMax: number): { bytes: Buffer; size: number } | undefined {
  const file = openPlain(path, constants.O_RDONLY)
  if (file === undefined) return undefined
  try {
    const { size } = fstatSync(file)
    return { bytes: readAt(file, 0, Math.min(size, bytesMax)), size }
  } finally {
    closeSync(file)
  }
}

/** So many bytes from a place on, or as many as there are. */
export function readAt(file: number, from: number, count: number): Buffer {
  const bytes = Buffer.allocUnsafe(count)
  let read = 0
  while (read < count) {
    const more = readSync(file, bytes, read, count - read, from + read)
    if (more === 0) break
    read += more
  }
  return bytes.subarray(0, read)
}

/** Whoever reads it finds the file as it was, or whole. */
export function replacePlain(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`
  rmSync(temporary, { force: true })
  writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 })
  renameSync(temporary, path)
}
