import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The work tree of git that a file is in, given its real path. Whoever can change that repository decides what the file says. */
export function workTreeOf(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return undefined
  }
}
