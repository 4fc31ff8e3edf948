import { accessSync, constants, lstatSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CairnRefusal, type RefusalCode, refuse } from '../../../../domain/log/refusal.ts'

/** Larger than any configuration: what a program keeps of a user can be some megabytes. */
const bytesMax = 32 * 1024 * 1024

/** A file as it was found. */
export interface ConfigFile {
  /** As people know it. */
  readonly path: string
  /** Where its bytes are, behind all links. */
  readonly real: string
  /** Undefined where there is no file. */
  readonly text: string | undefined
  readonly mode: number | undefined
  /** Folders that have to be made for it, the outermost first. */
  readonly folders: readonly string[]
}

export function fileRefusal(code: RefusalCode, path: string, problem: string, hint: string): CairnRefusal {
  return new CairnRefusal(refuse(code, `${path} ${problem}.`, hint, { path }))
}

/** Reads a file that is to be changed; a link is followed to what it names. */
export function readConfigFile(path: string): ConfigFile {
  try {
    const stats = statOf(path)
    if (stats !== undefined) return { path, ...present(path, stats), folders: [] }
    refuseDangling(path)
    const folders = missingFolders(dirname(path))
    const last = folders.length > 0 ? dirname(folders[0] as string) : dirname(path)
    const real = join(realpathSync(last), ...folders.map((folder) => basename(folder)), basename(path))
    return { path, real, text: undefined, mode: undefined, folders }
  } catch (error) {
    throw error instanceof CairnRefusal ? error : unusable(path, error)
  }
}

/** Undefined where nothing is, also below what is no folder. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

function present(path: string, stats: Stats): Pick<ConfigFile, 'real' | 'text' | 'mode'> {
  if (!stats.isFile()) throw fileRefusal('invalid_input', path, 'is not a file', 'Move it away, then run again.')
  if (stats.size > bytesMax) throw fileRefusal('invalid_input', path, 'is larger than 32 MiB', 'Edit it by hand.')
  const bytes = readFileSync(path)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { real: realpathSync(path), text, mode: stats.mode & 0o7777 }
  } catch {
    throw fileRefusal('invalid_input', path, 'is not UTF-8 text', 'Save it as UTF-8, then run again.')
  }
}

function refuseDangling(path: string): void {
  const isBelowFolder = statOf(dirname(path))?.isDirectory() ?? false
  if (!isBelowFolder || lstatSync(path, { throwIfNoEntry: false }) === undefined) return
  throw fileRefusal(
    'invalid_input',
    path,
    'is a link to a file that does not exist',
    'Remove the link, then run again.',
  )
}

function missingFolders(folder: string): string[] {
  const found = statOf(folder)
  if (found?.isDirectory()) return []
  if (found !== undefined)
    throw fileRefusal('invalid_input', folder, 'is not a folder', 'Move it away, then run again.')
  refuseDangling(folder)
  return [...missingFolders(dirname(folder)), folder]
}

/** Throws unless this user may change the file: a rename would replace what a read-only mode or another owner protects. */
export function checkWritable({ path, real, text, folders }: ConfigFile): void {
  try {
    if (text !== undefined) checkOwnFile(path, statSync(real))
    const folder = folders[0] === undefined ? dirname(real) : dirname(folders[0])
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw error instanceof CairnRefusal ? error : unusable(path, error)
  }
}

function checkOwnFile(path: string, { uid, mode }: Stats): void {
  const user = process.geteuid?.()
  if (user !== undefined && uid !== user) {
    throw fileRefusal(
      'forbidden',
      path,
      `belongs to another user (uid ${uid})`,
      'Run as that user, or change its owner.',
    )
  }
  if ((mode & 0o200) === 0) {
    throw fileRefusal('forbidden', path, 'is read-only', `Run chmod u+w ${JSON.stringify(path)}, then run again.`)
  }
}

function unusable(path: string, error: unknown): CairnRefusal {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException
  return fileRefusal(
    'forbidden',
    path,
    `cannot be used (${code})`,
    'Check the owner and mode of the file and its folder.',
  )
}
