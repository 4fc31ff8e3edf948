import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CairnRefusal } from '../../../../domain/log/refusal.ts'
import { failpoint } from '../../../../failpoint.ts'
import { fileRefusal } from './config-file.ts'

/** What a file is to hold instead; undefined where there is, or is to be, none. */
export interface FileChange {
  readonly path: string
  readonly real: string
  readonly before: string | undefined
  readonly after: string | undefined
  /** Of a file that is there: its own; of a new one where it is not the usual. */
  readonly mode: number | undefined
  /** Folders to make, the outermost first. */
  readonly folders: readonly string[]
  /** Of folders that are made. */
  readonly folderMode?: number
}

/** Puts all files in place, or none: each is written beside its place first, and only then are they renamed. */
export function replaceFiles(changes: readonly FileChange[]): void {
  const undo: (() => void)[] = []
  try {
    const placed = changes.map((change) => ({ change, temporary: prepared(change, undo) }))
    refuseChanged(changes)
    for (const { change, temporary } of placed) {
      if (temporary === undefined) rmSync(change.real)
      else renameSync(temporary, change.real)
      undo.push(() => restore(change))
      failpoint('setup-file')
    }
  } catch (error) {
    for (const step of undo.reverse()) quietly(step)
    const [first] = changes
    if (error instanceof CairnRefusal) throw error
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    const path = (error as NodeJS.ErrnoException).path ?? first?.path ?? ''
    throw fileRefusal('storage_error', path, `cannot be written (${code})`, 'Nothing was changed. Check disk and mode.')
  }
}

/** Removes folders that hold nothing, the innermost first. */
export function removeEmptyFolders(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) quietly(() => rmdirSync(folder))
}

/** Undefined for a file that is to go. */
function prepared(change: FileChange, undo: (() => void)[]): string | undefined {
  for (const folder of change.folders) {
    if (mkdirSync(folder, { recursive: true, ...(change.folderMode ? { mode: change.folderMode } : {}) }) === undefined)
      continue
    undo.push(() => rmdirSync(folder))
  }
  if (change.after === undefined) return undefined
  removeLeftovers(change.real)
  const temporary = besides(change.real)
  undo.push(() => rmSync(temporary, { force: true }))
  writeWhole(temporary, change.after, change.mode)
  return temporary
}

/** Where the new text of a file is written first: in its folder, so that it can be renamed. */
function besides(real: string): string {
  return join(dirname(real), `.${basename(real)}.cairn-${process.pid}`)
}

/** What a setup that was killed has left beside a file. */
function removeLeftovers(real: string): void {
  const start = `.${basename(real)}.cairn-`
  for (const name of readdirSync(dirname(real))) {
    const pid = name.startsWith(start) ? Number(name.slice(start.length)) : Number.NaN
    if (pid > 0 && !isRunning(pid)) rmSync(join(dirname(real), name), { force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function writeWhole(path: string, text: string, mode: number | undefined): void {
  rmSync(path, { force: true })
  const file = openSync(path, 'wx', mode ?? 0o666)
  try {
    writeFileSync(file, text)
    if (mode !== undefined) fchmodSync(file, mode)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Somebody may have written a file while the changes were shown. */
export function refuseChanged(changes: readonly FileChange[]): void {
  for (const { path, real, before } of changes) {
    if (textOf(real) === before) continue
    const hint = 'Nothing was changed. Run again.'
    throw fileRefusal('version_conflict', path, 'was changed by another program in the meantime', hint)
  }
}

function textOf(path: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(readFileSync(path))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function restore({ real, before, mode }: FileChange): void {
  if (before === undefined) {
    rmSync(real, { force: true })
    return
  }
  const temporary = besides(real)
  writeWhole(temporary, before, mode)
  renameSync(temporary, real)
}

function quietly(step: () => void): void {
  try {
    step()
  } catch {
    // What cannot be taken back is left: the fault that led here is told.
  }
}
