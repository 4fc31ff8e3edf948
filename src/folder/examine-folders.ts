import { join } from 'node:path'
import type { FolderFound } from '../domain/folders/questions.ts'
import type { Check } from '../operations/store/maintenance-port.ts'
import type { FolderWriter } from './folder-writer.ts'
import { asideIn } from './manifest/rejected.ts'

/** Problems named in one line; the rest is counted. */
const namedMax = 5

/** Whether folders have what their logs have. A repair makes those that are missing, and begins a mirror anew that is not of the log. */
export async function examineFolders(
  writer: FolderWriter,
  all: readonly FolderFound[],
  repair: boolean,
): Promise<Check> {
  const problems: string[] = []
  for (const found of all) {
    if (repair) await repaired(writer, found).catch(() => undefined)
    const folder = await writer.folderOf(found)
    const problem = await folder?.problem()
    if (problem !== undefined) problems.push(`${found.dir} ${problem}`)
  }
  const ok = problems.length === 0
  const count = `${all.length} ${all.length === 1 ? 'folder has' : 'folders have'} all of the log`
  const aside = all.flatMap(({ dir }) => (dir === null ? [] : asideIn(dir).map((name) => join(dir, name))))
  const rejected = aside.length === 0 ? '' : `; edits that were rejected: ${listed(aside)}`
  return { name: 'folders', ok, detail: `${ok ? count : listed(problems)}${rejected}` }
}

async function repaired(writer: FolderWriter, found: FolderFound): Promise<void> {
  let folder = await writer.folderOf(found)
  if ((await folder?.problem()) === undefined) return
  folder?.make()
  if (await folder?.isUnlike()) folder = await writer.replace(found)
  await folder?.catchUp(true)
}

function listed(lines: readonly string[]): string {
  const more = lines.length - namedMax
  return lines.slice(0, namedMax).join('; ') + (more > 0 ? `; and ${more} more` : '')
}
