import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Path } from '../pieces.ts'
import { applied, type Edits, inverse } from '../text/edits.ts'
import { type ConfigFile, readConfigFile } from './config-file.ts'
import type { FileChange } from './replace-files.ts'

/** What one run of setup did to a file. */
interface Layer {
  /** The hash of the text that it left. */
  readonly after: string
  readonly batches: readonly Edits[]
  readonly made: readonly Path[]
}

/** What setup did to a file, so that it can be taken back: only what was put in and what it replaced, no copy of the file. */
export interface Receipt {
  readonly path: string
  /** Whether setup made the file. */
  readonly made: boolean
  /** The folders that setup made for it, the outermost first. */
  readonly folders: readonly string[]
  readonly layers: readonly Layer[]
}

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** The file of a receipt in the data folder. */
export function receiptFile(home: string, real: string): ConfigFile {
  return readConfigFile(join(home, 'setup', `${hashOf(real).slice(0, 16)}.json`))
}

/** Undefined where there is none, or none that can be read: then the entry alone is taken out. */
export function receiptIn({ text }: ConfigFile): Receipt | undefined {
  if (text === undefined) return undefined
  try {
    const read = JSON.parse(text) as Receipt
    return Array.isArray(read.layers) && Array.isArray(read.folders) ? read : undefined
  } catch {
    return undefined
  }
}

export function receiptChange(file: ConfigFile, receipt: Receipt | undefined): FileChange {
  const after = receipt && `${JSON.stringify(receipt)}\n`
  return { ...file, before: file.text, after, mode: 0o600, folderMode: 0o700 }
}

/** Takes back the last runs as long as the text is what they left. */
export function unwound(
  text: string,
  layers: readonly Layer[],
): { readonly text: string; readonly left: readonly Layer[] } {
  const last = layers.at(-1)
  if (last === undefined || hashOf(text) !== last.after) return { text, left: layers }
  const before = [...last.batches].reverse().reduce((now, edits) => applied(now, inverse(edits)), text)
  return unwound(before, layers.slice(0, -1))
}
