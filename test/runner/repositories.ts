// Repositories of git for agents that have work trees of their own.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** What git gives, in the words of git; nothing of the tester's settings has a say. */
export function git(folder: string, ...words: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: '/nowhere', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }
  const who = ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.com']
  return execFileSync('git', [...who, ...words], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' })
}

/** A folder that is gone after the test. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-trees-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function put(folder: string, name: string, text: string, mode = 0o644): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode })
  return path
}

/** A repository with a commit of these files. */
export function newRepository(files: Readonly<Record<string, string>> = { 'file.txt': 'base\n' }): string {
  const folder = newFolder()
  git(folder, 'init', '-q', '-b', 'main')
  git(folder, 'config', 'user.name', 'Somebody')
  git(folder, 'config', 'user.email', 'somebody@example.com')
  for (const [name, text] of Object.entries(files)) put(folder, name, text)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'base')
  return folder
}

/** Hooks of every kind that a work tree could set off; each would write into the file that this gives. */
export function plantHooks(repository: string): string {
  const left = join(newFolder(), 'left')
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change']) {
    put(repository, `.git/hooks/${hook}`, `#!/bin/sh\necho ${hook} >> '${left}'\n`, 0o755)
  }
  return left
}

/** A program named `git` that first does this, in the PATH before the real one. */
export function gitThatFirst(script: string): { PATH: string } {
  const folder = newFolder()
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  put(folder, 'git', `#!/bin/sh\n${script}\nexec '${real}' "$@"\n`, 0o755)
  return { PATH: `${folder}:${process.env.PATH}` }
}
