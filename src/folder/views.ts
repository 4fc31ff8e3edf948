import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../domain/log/refusal.ts'
import { readJson } from '../json/value.ts'
import { names } from './layout.ts'
import { readPlain } from './plain-file.ts'

/** A file that somebody has edited is held to what an agent's editor writes. */
const viewBytesMax = 4 * 1024 * 1024

/** The hashes that a view may have: what was written last, and what was to be written then. */
type Rendered = Readonly<Record<string, readonly string[]>>

/** Files that are rendered from the log. Call them only while nobody else writes into the folder. */
export class Views {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
  }

  /** What a view says where somebody else has written it; undefined where it is ours, or not there. */
  async edited(name: string, seen: string | null | 'any'): Promise<string | undefined> {
    const path = join(this.#dir, name)
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    const known = this.#rendered()[name] ?? []
    // What came with the folder is taken for what was rendered last, if it is as it was then; of what agents write nothing is.
    if (known.length === 0 && seen !== 'any' && (seen === null || stillLooks(path, name, seen))) return undefined
    const content = await readPlain(path, viewBytesMax)
    return content === undefined || known.includes(hashOf(content)) ? undefined : content.toString()
  }

  /** The files that say what was rendered, and nothing else. */
  own(): string[] {
    const rendered = Object.entries(this.#rendered())
    return rendered.flatMap(([name, [hash = '']]) => (this.#has(join(this.#dir, name), hash) ? [name] : []))
  }

  /** From now on what lies there is taken for ours. */
  accept(name: string, text: string): void {
    this.#note({ ...this.#rendered(), [name]: [hashOf(text)] })
  }

  /** Replaces a view as a whole, unless it says that already. Before, it is noted that it may say either. */
  write(name: string, text: string): void {
    const path = join(this.#dir, name)
    const hash = hashOf(text)
    const rendered = this.#rendered()
    const [before] = rendered[name] ?? []
    if (before === hash && this.#has(path, hash)) return
    this.#note({ ...rendered, [name]: before === undefined ? [hash] : [hash, ...(rendered[name] ?? []).slice(0, 2)] })
    replace(path, text)
  }

  #has(path: string, hash: string): boolean {
    try {
      return hashOf(readFileSync(path)) === hash
    } catch {
      return false
    }
  }

  #rendered(): Rendered {
    try {
      const read = readJson(readFileSync(join(this.#dir, names.rendered), 'utf8'))
      return read instanceof Refusal || typeof read !== 'object' || read === null ? {} : (read as Rendered)
    } catch {
      return {}
    }
  }

  #note(rendered: Rendered): void {
    replace(join(this.#dir, names.rendered), JSON.stringify(rendered))
  }
}

/** Whoever reads it finds the old text or the new one. Nothing is written through a link that lies there. */
export function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  rmSync(temporary, { force: true })
  writeFileSync(temporary, text, { flag: 'wx' })
  renameSync(temporary, path)
}

function stillLooks(path: string, name: string, seen: string): boolean {
  const { [name]: looks } = JSON.parse(seen) as Record<string, readonly number[]>
  const found = lstatSync(path)
  return looks === undefined || (looks[0] === found.size && looks[1] === found.mtimeMs)
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
