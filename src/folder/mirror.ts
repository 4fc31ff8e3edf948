import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Parts } from '../domain/log/part.ts'
import { Refusal } from '../domain/log/refusal.ts'
import type { EventRow } from '../domain/log/tables.ts'
import { type JsonObject, readJson } from '../json/value.ts'
import { names } from './layout.ts'
import { LineFile } from './line-file.ts'
import { type MirrorHead, mirrorLine, transcriptLine, transcriptOf } from './mirror-line.ts'

/** Where a mirror ends. */
export interface MirrorEnd {
  readonly seq: number
  /** Undefined where it has no event yet. */
  readonly hash: string | undefined
}

/** What stands in a mirror is not what the log says. */
export class Unlike extends Error {}

/** The file of one replica that has the events of a root, and beside it the bodies of its conversations. */
export class Mirror {
  readonly #dir: string
  readonly #head: MirrorHead
  readonly #parts: Parts
  readonly #file: LineFile
  readonly #transcripts = new Map<string, LineFile>()

  constructor(dir: string, head: MirrorHead, parts: Parts) {
    this.#dir = dir
    this.#head = head
    this.#parts = parts
    this.#file = new LineFile(join(dir, names.log, `${head.replica}.jsonl`))
  }

  get path(): string {
    return this.#file.path
  }

  /** Undefined where the file is not there yet. */
  async end(): Promise<MirrorEnd | undefined> {
    const line = await this.#file.last()
    if (line === undefined) return undefined
    const read = readJson(line)
    if (read instanceof Refusal) throw new Unlike('its last line is no JSON')
    const { seq, hash, cairn, root, after } = (read ?? {}) as JsonObject
    if (cairn !== undefined) {
      if (cairn !== 1 || root !== this.#head.root) throw new Unlike('it is of another root or format')
      return { seq: Number(after), hash: undefined }
    }
    if (typeof seq !== 'number' || typeof hash !== 'string') throw new Unlike('its last line is no event')
    return { seq, hash }
  }

  /** Begins the file. */
  async begin(durable: boolean): Promise<MirrorEnd> {
    this.#makeFolder(names.log)
    await this.#file.add(`${JSON.stringify(this.#head)}\n`, durable)
    return { seq: this.#head.after, hash: undefined }
  }

  /** Adds events that follow its end. What is said in conversations is there before the event that says so. */
  async add(events: readonly EventRow[], durable: boolean): Promise<void> {
    const said = new Map<string, string>()
    for (const row of events) {
      const no = transcriptOf(this.#parts, row)
      if (no !== undefined) said.set(no, (said.get(no) ?? '') + transcriptLine(row))
    }
    for (const [no, lines] of said) await this.#say(no, lines)
    await this.#file.add(events.map((row) => mirrorLine(this.#parts, row)).join(''), durable)
  }

  /** The folder of the session itself is not made again once somebody has taken it away. */
  #makeFolder(name: string): void {
    try {
      mkdirSync(join(this.#dir, name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }

  async #say(no: string, lines: string): Promise<void> {
    let file = this.#transcripts.get(no)
    if (file === undefined) {
      this.#makeFolder(names.transcripts)
      file = new LineFile(join(this.#dir, names.transcripts, `${no}.jsonl`))
      this.#transcripts.set(no, file)
      await file.last()
    }
    await file.add(lines, false)
  }
}
