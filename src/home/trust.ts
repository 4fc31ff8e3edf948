import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CairnRefusal, Refusal, refuse } from '../domain/log/refusal.ts'
import { type JsonObject, readJson } from '../json/value.ts'
import { projectOf, realPath } from './session-meant.ts'
import { workTreeOf } from './work-tree.ts'

/** What was trusted: the real path of each file, and the hash of what it said then. */
type Trusted = Readonly<Record<string, string>>

/**
 * Whether what a file names may run. A file in a work tree of git came from whoever can change that repository: it counts once
 * `cairn trust` has recorded its hash in the data folder, and until it changes. `content` is what was read of it, so that what was
 * checked is what runs. All work trees of a repository are one project: what its owner has trusted there is trusted in each of them.
 */
export function checkTrusted(home: string, file: string, content: string | Uint8Array): Refusal | undefined {
  const path = realPath(file)
  const work = workTreeOf(path)
  if (work === undefined) return undefined
  const [trusted, hash] = [trustedIn(home), hashOf(content)]
  if (trusted[path] === hash || trusted[join(projectOf(work), relative(work, path))] === hash) return undefined
  const message = `${file} names commands and is in the repository ${work}: whoever can change that would decide what runs here.`
  return refuse('not_trusted', message, `Read it, then run cairn trust ${file}.`, { file })
}

/** Records what these files say now. */
export function trust(home: string, files: readonly { path: string; content: Uint8Array }[]): void {
  const added = files.map(({ path, content }) => [realPath(path), hashOf(content)])
  const all = { ...trustedIn(home), ...Object.fromEntries(added) }
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const path = join(home, name)
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(all, undefined, 1)}\n`, { mode: 0o600, flush: true })
  renameSync(temporary, path)
}

/** Whether a file says what it said when it was trusted. */
export function isTrusted(home: string, path: string, content: Uint8Array): boolean {
  return trustedIn(home)[realPath(path)] === hashOf(content)
}

const name = 'trusted.json'

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** What cannot be read trusts nothing, and is not written over. */
function trustedIn(home: string): Trusted {
  let text: string
  try {
    text = readFileSync(join(home, name), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new CairnRefusal(unreadable(home, (error as NodeJS.ErrnoException).code ?? 'an error'))
  }
  const read = readJson(text)
  if (read instanceof Refusal || typeof read !== 'object' || read === null || Array.isArray(read))
    throw new CairnRefusal(unreadable(home, 'not valid JSON'))
  return Object.fromEntries(
    Object.entries(read as JsonObject).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function unreadable(home: string, what: string): Refusal {
  const path = join(home, name)
  return refuse(
    'storage_error',
    `${path} cannot be read (${what}).`,
    'Remove it, and trust your files again with cairn trust.',
  )
}
