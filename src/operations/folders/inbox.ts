import type { Operations } from '../index.ts'

type Noun = keyof Operations

/** What people and agents read in the folder of a root: whoever changes it is told when the folder is late. */
const waited: ReadonlySet<string> = new Set([
  'phase',
  'plan',
  'task',
  'checkpoint',
  'git',
  'commit',
  'artifact',
  'journal',
  'decision',
  'blocker',
  'sitting',
] satisfies readonly Noun[])

/** What a program that does not reach the store may ask for by a file: changes of the root that the folder is of, and no more. */
const byFile: ReadonlySet<string> = new Set([...waited, ...(['state'] satisfies readonly Noun[])])

/** Changes of these nouns that are none of a worker: they are asked of the store itself. */
const never: ReadonlySet<string> = new Set(['state.claim', 'state.heartbeat', 'state.release'])

/** Besides, by their whole names. */
const alsoByFile: ReadonlySet<string> = new Set(['session.setStatus'])

const nounOf = (operation: string) => operation.slice(0, operation.indexOf('.'))

export function waitsForFolder(operation: string): boolean {
  return waited.has(nounOf(operation))
}

/** Whether a file in the inbox of a folder may ask for this change. */
export function isForInbox(operation: string): boolean {
  return (byFile.has(nounOf(operation)) && !never.has(operation)) || alsoByFile.has(operation)
}
