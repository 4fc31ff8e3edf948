import type { Heard, OutputReader } from '../adapters/adapter.ts'
import { Lines } from '../processes/lines.ts'
import { OutputFile } from '../processes/output-file.ts'
import { readPlain, replacePlain } from '../processes/own-files.ts'
import { ProcessWatch, type RunFound } from '../processes/process-watch.ts'
import type { RunFolder } from '../processes/run-folder.ts'

/** Slices that are read of one agent's output at a time: the others wait meanwhile. */
const slicesMax = 16
const tailBytes = 4096

/** What one look at a run has found. */
export interface LookedAt {
  readonly found: RunFound
  /** It has put something out since. */
  readonly isActive: boolean
  readonly heard: readonly Heard[]
}

/** A run that this process watches. */
export class LiveRun {
  readonly folder: RunFolder
  readonly watch: ProcessWatch
  /** What it leaves unless it writes something else, as far as it has been heard. */
  said: string | undefined
  retryAt: number | undefined
  readonly #output: OutputFile
  readonly #errors: OutputFile
  readonly #reader: OutputReader | undefined
  readonly #lines = new Lines()
  #read = 0
  #seen = 0

  constructor(folder: RunFolder, reader: OutputReader | undefined, bytesMax: number) {
    this.folder = folder
    this.watch = new ProcessWatch(folder)
    this.#output = new OutputFile(folder, 'output', bytesMax)
    this.#errors = new OutputFile(folder, 'errors', bytesMax)
    this.#reader = reader
    this.#restore()
  }

  look(): LookedAt {
    const found = this.watch.look()
    const end = this.#end
    const isActive = end !== this.#seen
    this.#seen = end
    const isOver = found.is === 'ended' || found.is === 'lost'
    const heard = this.#reader === undefined || !(isActive || isOver) ? [] : this.#hear(isOver)
    if (isActive) this.#bound()
    return { found, isActive, heard }
  }

  /** What was put out before now is no sign of life. */
  skipSeen(): void {
    this.#seen = this.#end
  }

  /** What was heard before is in the log: whoever goes on after this process need not hear it again. */
  keepPlace(): void {
    if (this.#reader === undefined || this.#lines.open > 0) return
    const kept = {
      at: this.#read,
      ...(this.said && { said: this.said }),
      ...(this.retryAt && { retryAt: this.retryAt }),
    }
    replacePlain(this.folder.file('read'), `${JSON.stringify(kept)}\n`)
  }

  /** Where in the output what is heard next stands: it tells repeated messages apart from new ones. */
  get place(): number {
    return this.#read
  }

  get tail(): string {
    const { end } = this.#output
    return this.#output.read(Math.max(0, end - tailBytes), tailBytes).bytes.toString('utf8')
  }

  get #end(): number {
    return this.#output.end + (this.#reader === undefined ? 0 : this.#errors.end)
  }

  #hear(isOver: boolean): Heard[] {
    const heard: Heard[] = []
    const take = (lines: readonly string[]) => {
      for (const line of lines) heard.push(...(this.#reader?.take(line) ?? []))
    }
    for (let slices = 0; isOver || slices < slicesMax; slices++) {
      const { bytes, next, lost } = this.#output.read(this.#read)
      if (lost > 0) this.#lines.last()
      if (bytes.length === 0) break
      take(this.#lines.take(bytes))
      this.#read = next
    }
    if (isOver) take(this.#lines.last())
    return heard
  }

  #bound(): void {
    this.#output.cut()
    this.#errors.cut()
  }

  #restore(): void {
    try {
      const kept = JSON.parse(readPlain(this.folder.file('read'), 1024 * 1024)?.bytes.toString('utf8') ?? '')
      this.#read = Number(kept.at) || 0
      this.said = kept.said
      this.retryAt = kept.retryAt
    } catch {
      // Nothing was read of it before.
    }
  }
}
