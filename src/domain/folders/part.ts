import type { Part } from '../log/part.ts'
import { folderProjects, removedRoots, sessionFolders } from './tables.ts'

/** Which projects have session folders, and where those of this machine are: plain rows, of which no event tells. */
export const foldersPart: Part = {
  name: 'folders',
  owns: () => false,
  tables: [folderProjects, sessionFolders, removedRoots],
  evolve: {},
  bodies: 'kept',
  secrets: 'refuse',
}
