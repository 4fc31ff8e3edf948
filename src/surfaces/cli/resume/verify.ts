import { readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'

/** A larger file is no source that somebody wrote: whether a text is in it is not looked for. */
const bytesMax = 4 * 1024 * 1024

/** What the journal says is there. */
export interface Claimed {
  readonly files: readonly { readonly file: string }[]
  readonly implementations: readonly {
    readonly text: string
    readonly file: string | null
    readonly contains: string | null
    readonly command: string | null
  }[]
}

/** `ok` and `mismatch` were looked at; `unchecked` was not, and says why. */
export interface Checked {
  readonly what: string
  readonly result: 'ok' | 'mismatch' | 'unchecked'
  readonly detail: string
}

/** Looks whether what the journal names is in the project. Nothing is run, and nothing outside of the project is looked at. */
export function verify(project: string | undefined, { files, implementations }: Claimed): Checked[] {
  const claims = [
    ...files.map(({ file }) => ({ what: file, file, contains: null, command: null })),
    ...implementations.map(({ text, file, contains, command }) => ({ what: text, file, contains, command })),
  ]
  return claims.map(({ what, file, contains, command }) => {
    if (file === null)
      return { what, result: 'unchecked', detail: command === null ? 'no file is named' : notRun(command) }
    if (project === undefined) return { what, result: 'unchecked', detail: 'the project is not on this machine' }
    const found = { what, ...lookAt(project, file, contains) }
    return command === null || found.result !== 'ok' ? found : { ...found, detail: notRun(command) }
  })
}

function notRun(command: string): string {
  return `its command was not run: ${command}`
}

type Found = Pick<Checked, 'result' | 'detail'>

function lookAt(project: string, file: string, contains: string | null): Found {
  let path: string
  try {
    const base = realpathSync(project)
    path = realpathSync(join(base, file))
    const inside = relative(base, path)
    if (inside.startsWith('..') || isAbsolute(inside))
      return { result: 'unchecked', detail: `${file} leads out of the project` }
  } catch {
    return { result: 'mismatch', detail: `${file} does not exist` }
  }
  return ofFile(path, file, contains)
}

function ofFile(path: string, file: string, contains: string | null): Found {
  try {
    const { size, ...stats } = statOf(path)
    if (!stats.isFile) return { result: 'mismatch', detail: `${file} is not a file` }
    if (contains === null) return { result: 'ok', detail: `${file} exists` }
    if (size > bytesMax) return { result: 'unchecked', detail: `${file} is too large to look through` }
    return readFileSync(path, 'utf8').includes(contains)
      ? { result: 'ok', detail: `${file} has it` }
      : { result: 'mismatch', detail: `${file} does not contain ${JSON.stringify(contains)}` }
  } catch {
    return { result: 'unchecked', detail: `${file} cannot be read` }
  }
}

function statOf(path: string): { size: number; isFile: boolean } {
  const stats = statSync(path)
  return { size: stats.size, isFile: stats.isFile() }
}
