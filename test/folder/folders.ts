// Folders of sessions in a project of their own, and what is in them.
import { createHash } from 'node:crypto'
import {
  type Dirent,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect } from 'vitest'

/** A project for each test, removed after it. */
export function freshProject(): () => string {
  const made: string[] = []
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
  })
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-folder-')))
    made.push(folder)
    mkdirSync(join(folder, '.git'))
    return folder
  }
}

// biome-ignore lint/suspicious/noExplicitAny: lines are looked into freely.
export type Line = any

/** The lines of the only mirror of a folder, without its head. */
export function mirrorOf(dir: string): Line[] {
  const [name, ...others] = readdirSync(join(dir, 'log'))
  expect(others).toEqual([])
  return linesOf(join(dir, 'log', name as string)).slice(1)
}

export function linesOf(path: string): Line[] {
  const text = readFileSync(path, 'utf8')
  expect(text.at(-1)).toBe('\n')
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** A hash of all that is in a folder: names, kinds, contents and times of change. */
export function treeOf(dir: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }).sort(byPath)) {
    const path = join(entry.parentPath, entry.name)
    hash.update(`${path} ${lstatSync(path).mtimeMs} ${entry.isFile() ? readFileSync(path, 'hex') : ''}\n`)
  }
  return hash.digest('hex')
}

function byPath(a: Dirent, b: Dirent): number {
  return join(a.parentPath, a.name) < join(b.parentPath, b.name) ? -1 : 1
}
