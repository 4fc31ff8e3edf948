import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'

/** The file and the folder that names it are on disk afterwards. */
export function syncFile(path: string): void {
  for (const target of [path, dirname(path)]) {
    const file = openSync(target, 'r')
    fsyncSync(file)
    closeSync(file)
  }
}
