import { closeSync, constants, fstatSync, ftruncateSync, writeSync } from 'node:fs'
import { openPlain, readAt, readPlain, replacePlain } from './own-files.ts'
import type { RunFolder } from './run-folder.ts'

/** What is read at a time: however much an agent puts out, no more of it is in memory. */
export const sliceBytes = 64 * 1024
/** Of what was put out last so much is kept when a file is cut. */
const tailBytes = 256 * 1024

/** What was taken out of a file: so many bytes after the first `head`. */
interface Cut {
  readonly head: number
  readonly bytes: number
}

/** A piece of what an agent has put out. */
export interface OutputSlice {
  readonly bytes: Buffer
  /** Where it begins, and where the next one does, counted from the start of the run. */
  readonly from: number
  readonly next: number
  /** Bytes before it that were taken out of the file. */
  readonly lost: number
}

/**
 * What an agent puts out, in a file that it appends to whoever reads it. Beyond a size the middle is taken out: the beginning and the end
 * stay, and places are counted as if nothing had been. What is put out in the very moment of a cut is not counted.
 */
export class OutputFile {
  readonly #path: string
  readonly #cutPath: string
  readonly #bytesMax: number
  #cut: Cut | undefined

  constructor(folder: RunFolder, name: 'output' | 'errors', bytesMax: number) {
    this.#path = folder.file(name)
    this.#cutPath = `${this.#path}.cut`
    this.#bytesMax = Math.max(bytesMax, 4 * tailBytes)
  }

  /** How much was put out in all. */
  get end(): number {
    return this.#opened(constants.O_RDONLY, (_file, size) => this.#placeOf(size)) ?? 0
  }

  read(from: number, bytesMax = sliceBytes): OutputSlice {
    const slice = this.#opened(constants.O_RDONLY, (file, size) => {
      const { head, bytes: gone } = this.#cutNow
      const start = from >= head && from < head + gone ? head + gone : from
      const isBeforeCut = gone > 0 && start < head
      const at = gone === 0 || isBeforeCut ? start : start - gone
      // What stands on the two sides of a cut is not taken for one line.
      const end = isBeforeCut ? head : size
      const bytes = readAt(file, at, Math.max(0, Math.min(bytesMax, end - at)))
      return { bytes, from: start, next: start + bytes.length, lost: start - from }
    })
    return slice ?? { bytes: Buffer.alloc(0), from, next: from, lost: 0 }
  }

  /** Takes the middle out of a file that has become too large; says how many bytes that were. */
  cut(): number {
    const gone = this.#opened(constants.O_RDWR | constants.O_APPEND, (file, size) => {
      if (size <= this.#bytesMax) return 0
      const head = this.#cutNow.bytes > 0 ? this.#cutNow.head : Math.floor(this.#bytesMax / 2)
      const tail = readAt(file, size - tailBytes, tailBytes)
      const taken = size - tailBytes - head
      this.#cut = { head, bytes: this.#cutNow.bytes + taken }
      replacePlain(this.#cutPath, `${JSON.stringify(this.#cut)}\n`)
      ftruncateSync(file, head)
      writeSync(file, tail)
      return taken
    })
    return gone ?? 0
  }

  /** What was taken out so far. */
  get cutBytes(): number {
    return this.#cutNow.bytes
  }

  get #cutNow(): Cut {
    this.#cut ??= readCut(this.#cutPath)
    return this.#cut
  }

  #placeOf(at: number): number {
    const { head, bytes } = this.#cutNow
    return at <= head ? at : at + bytes
  }

  #opened<Out>(flags: number, use: (file: number, size: number) => Out): Out | undefined {
    const file = openPlain(this.#path, flags)
    if (file === undefined) return undefined
    try {
      return use(file, fstatSync(file).size)
    } finally {
      closeSync(file)
    }
  }
}

function readCut(path: string): Cut {
  try {
    const { head, bytes } = JSON.parse(readPlain(path, 1024)?.bytes.toString('utf8') ?? '') as Cut
    if (Number.isSafeInteger(head) && Number.isSafeInteger(bytes)) return { head, bytes }
  } catch {
    // Nothing was cut.
  }
  return { head: 0, bytes: 0 }
}
