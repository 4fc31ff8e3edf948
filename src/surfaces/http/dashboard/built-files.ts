import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What the dashboard is built into: `index.html`, and files whose names have the hash of their contents. */
export interface BuiltFile {
  readonly type: string
  readonly plain: Buffer
  readonly packed: Buffer
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const assetName = /^[\w-]+(?:\.[\w-]+)*\.(?:js|css|svg)$/

/** Reads from the folder that the package brings along; a file with a hash in its name is read once. */
export class BuiltFiles {
  readonly #folder: string
  readonly #assets = new Map<string, BuiltFile>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined where the dashboard was not built. */
  page(): BuiltFile | undefined {
    return this.#read('index.html')
  }

  asset(name: string): BuiltFile | undefined {
    if (!assetName.test(name)) return undefined
    const known = this.#assets.get(name) ?? this.#read(join('assets', name))
    if (known !== undefined) this.#assets.set(name, known)
    return known
  }

  #read(name: string): BuiltFile | undefined {
    try {
      const plain = readFileSync(join(this.#folder, name))
      const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
      return { type, plain, packed: gzipSync(plain) }
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
      throw error
    }
  }
}
