import { appendFileSync, closeSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../../../clock.ts'

/** A log beyond this is put aside when the next server is started; the one put aside before goes. */
const logBytesMax = 8 * 1024 * 1024
/** What a process says last of all, with a trace of it. */
const tailBytes = 64 * 1024

/** The log of the servers that run in the background, and of their keeper. */
export class ServerLog {
  readonly path: string

  constructor(home: string) {
    this.path = join(home, 'server.log')
  }

  /** A file to write to, for a process that is started now. Whoever has it open gives it back. */
  open(): number {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 })
    if (this.bytes() > logBytesMax) renameSync(this.path, `${this.path}.1`)
    return openSync(this.path, 'a', 0o600)
  }

  bytes(): number {
    return statSync(this.path, { throwIfNoEntry: false })?.size ?? 0
  }

  /** The end of what was written after this many bytes. */
  since(bytes: number): string {
    try {
      const file = openSync(this.path, 'r')
      try {
        const from = Math.max(bytes, this.bytes() - tailBytes)
        const read = Buffer.alloc(Math.max(0, Math.min(tailBytes, this.bytes() - from)))
        return read.subarray(0, readSync(file, read, 0, read.length, from)).toString('utf8')
      } finally {
        closeSync(file)
      }
    } catch {
      return ''
    }
  }

  /** One line of the keeper. That there is no room for it, or no folder any more, is no reason to end. */
  say(level: 'info' | 'error', message: string): void {
    const at = new Date(systemClock().now()).toISOString()
    try {
      appendFileSync(this.path, `${JSON.stringify({ at, level, event: 'keeper', message })}\n`, { mode: 0o600 })
    } catch {
      // It is said by what happens.
    }
  }
}
