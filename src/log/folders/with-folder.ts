import type { Answer } from '../../domain/log/rows.ts'
import { waitsForFolder } from '../../operations/folders/inbox.ts'
import type { Called } from '../write/call.ts'
import type { FolderKeeping } from './folder-records.ts'

/** What an answer says of the folder besides what was remembered of it: that is of this host and of the moment. */
export async function withFolder(folders: FolderKeeping, { operation, place, makesRoot }: Called, answer: Answer) {
  if (makesRoot) {
    const dir = await folders.dirOf(String(answer.root_session_id)).catch(() => undefined)
    return dir === undefined ? answer : { ...answer, dir }
  }
  if (!waitsForFolder(operation.name)) return answer
  return (await folders.settled(place.root)) === 'late' ? { ...answer, folder: 'late' } : answer
}
