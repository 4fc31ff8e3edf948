import { execFile } from 'node:child_process'
import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { workTreeOf } from '../home/work-tree.ts'
import { names } from './layout.ts'
import { Views } from './views.ts'

const run = promisify(execFile)

/** What Cairn writes into a folder; the rest is the agents'. */
const written = [names.log, names.transcripts, names.inbox, names.ignore, names.rendered]
const gitMsMax = 10_000

/** Takes away what was written for a root that is no more, save what git has; says what is still there. */
export async function removeFiles(dir: string): Promise<string[]> {
  const tracked = await trackedIn(dir)
  // What agents have written into is theirs.
  const rendered = new Views(dir).own()
  for (const path of [...rendered, ...written.flatMap((name) => filesBelow(dir, name)), ...locksIn(dir)]) {
    if (!tracked.has(path)) rmSync(join(dir, path), { force: true })
  }
  for (const folder of [names.log, names.transcripts, names.rejected, names.inbox, '.']) dropEmpty(join(dir, folder))
  const left = filesBelow(dir, '')
  return left.length === 0 ? [] : [`${left.length} ${left.length === 1 ? 'file' : 'files'} in ${dir}`]
}

/** What git has of the folder. Where that cannot be told, all of it may be. */
async function trackedIn(dir: string): Promise<{ has(path: string): boolean }> {
  if (workTreeOf(join(dir, names.log)) === undefined) return new Set()
  try {
    // What a repository says may run in it is none of ours.
    const args = ['-c', 'core.fsmonitor=false', '-C', dir, 'ls-files', '-z', '--', '.']
    const { stdout } = await run('git', args, { timeout: gitMsMax, maxBuffer: 64 * 1024 * 1024 })
    return new Set(stdout.split('\0'))
  } catch {
    return { has: () => true }
  }
}

function locksIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.startsWith(names.lock))
  } catch {
    return []
  }
}

/** Files, by their path in the folder. */
function filesBelow(dir: string, name: string): string[] {
  try {
    const entries = readdirSync(join(dir, name), { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? [name] : []
  }
}

function dropEmpty(path: string): void {
  try {
    rmdirSync(path)
  } catch {
    // It is not empty, or not there.
  }
}
