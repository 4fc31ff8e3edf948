import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Read at once from the end of a file; a longer line takes more. */
const tailBytes = 64 * 1024
/** No event is longer: beyond that it is no file of ours. */
const lineBytesMax = 64 * 1024 * 1024

const newline = 0x0a

/** A file of lines that is only added to. What a dying process left of a last line is cut off. */
export class LineFile {
  readonly path: string
  #known: { size: number; ino: number; line: string | undefined } | undefined

  constructor(path: string) {
    this.path = path
  }

  /** The last whole line; undefined where there is none. Call it and `add` only while nobody else writes. */
  async last(): Promise<string | undefined> {
    const file = await open(this.path, constants.O_RDWR | constants.O_NOFOLLOW).catch(unlessMissing)
    if (file === undefined) return undefined
    try {
      const { size, ino } = await file.stat()
      if (this.#known?.size === size && this.#known.ino === ino) return this.#known.line
      const { line, end } = await lastLine(file, size)
      if (end < size) await file.truncate(end)
      this.#known = { size: end, ino, line }
      return line
    } finally {
      await file.close()
    }
  }

  /** Adds whole lines; with `durable` they are on disk when it is done. */
  async add(lines: string, durable: boolean): Promise<void> {
    const file = await open(
      this.path,
      constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    )
    try {
      await file.appendFile(lines)
      if (durable) await file.datasync()
      const { size, ino } = await file.stat()
      const start = lines.lastIndexOf('\n', lines.length - 2) + 1
      this.#known = { size, ino, line: lines.slice(start, -1) }
      if (durable && size === Buffer.byteLength(lines)) await syncFolder(dirname(this.path))
    } catch (error) {
      this.#known = undefined
      throw error
    } finally {
      await file.close()
    }
  }
}

/** The last whole line of a file, and where it ends. */
async function lastLine(file: FileHandle, size: number): Promise<{ line: string | undefined; end: number }> {
  for (let bytes = Math.min(tailBytes, size); ; bytes = Math.min(bytes * 8, size)) {
    const buffer = Buffer.alloc(bytes)
    await file.read(buffer, 0, bytes, size - bytes)
    const last = buffer.lastIndexOf(newline)
    const before = last <= 0 ? -1 : buffer.lastIndexOf(newline, last - 1)
    if (last >= 0 && (before >= 0 || bytes === size)) {
      return { line: buffer.toString('utf8', before + 1, last), end: size - bytes + last + 1 }
    }
    if (bytes === size) return { line: undefined, end: 0 }
    if (bytes > lineBytesMax) throw new Error('has a line that is too long')
  }
}

/** A new name is on disk once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function unlessMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
  throw error
}
