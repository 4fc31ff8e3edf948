import { lstatSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { CairnRefusal, refuse } from '../domain/log/refusal.ts'

/** Below a project: where its session folders are. */
export const sessionsPath = join('agents', 'sessions')

/** What is in a session folder. */
export const names = {
  log: 'log',
  transcripts: 'transcripts',
  inbox: 'inbox',
  rejected: join('inbox', 'rejected'),
  ignore: '.gitignore',
  lock: '.lock',
  rendered: '.rendered.json',
  state: 'state.json',
} as const

/** What git is to leave alone: conversations stay on their machine, and the rest is of the moment. */
export const ignored = ['/transcripts/', '/inbox/', '/.lock*', '/.rendered.json', '*.tmp', ''].join('\n')

/** The folder of a root in its project. */
export function folderIn(project: string, slug: string): string {
  return join(project, sessionsPath, slug)
}

/** The project that a session folder is in. */
export function projectOf(dir: string): string {
  return dirname(dirname(dirname(dir)))
}

/**
 * Refuses a folder that a link has put somewhere else: what is written there would leave the project. Everything from the project down to
 * the folder must be what it is called.
 */
export function checkWithin(project: string, dir: string): void {
  const steps = relative(project, dir).split(sep)
  let path = realpathSync(project)
  for (const step of steps) {
    path = join(path, step)
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return
    if (found.isSymbolicLink() || !found.isDirectory()) throw new CairnRefusal(outside(path))
  }
}

function outside(path: string) {
  const hint = 'Put a real folder in its place. Nothing was written through it.'
  return refuse('forbidden', `${path} is not a folder of its own: it is a link or a file.`, hint, { path })
}
