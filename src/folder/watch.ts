import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { FolderFound } from '../domain/folders/questions.ts'
import type { FolderWriter } from './folder-writer.ts'
import { names } from './layout.ts'
import { isStill } from './rendering.ts'

/** Files of which edits are taken in. */
const edited = [names.state, 'STATE.md', 'plan.json', 'spec.md']

/** When an inbox or a view was last changed, so that one to which nothing has happened is not read. */
const seen = new WeakMap<FolderWriter, Map<string, number>>()

/** Looks into folders for what programs and people have put there. */
export async function lookInto(
  writer: FolderWriter,
  all: readonly FolderFound[],
  touch: (root: number) => void,
  now: () => number,
): Promise<void> {
  const times = seen.get(writer) ?? new Map<string, number>()
  seen.set(writer, times)
  for (const found of all) {
    const dir = found.dir as string
    if (edited.some((name) => isStill(dir, name, now()) && isOther(times, join(dir, name)))) touch(found.root)
    const inbox = join(dir, names.inbox)
    const changed = changedAt(inbox)
    if (changed === undefined || times.get(inbox) === changed) continue
    // What was left is to be tried again, and changes nothing there.
    if ((await writer.workOff(found)) === 0) times.set(inbox, changedAt(inbox) ?? changed)
  }
}

function isOther(times: Map<string, number>, path: string): boolean {
  const changed = changedAt(path)
  const before = times.get(path)
  if (changed !== undefined) times.set(path, changed)
  return changed !== undefined && changed !== before
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
