import type { FolderQuestions } from '../../domain/folders/questions.ts'
import type { Text } from './text.ts'

const found = `SELECT r.root, r.id, r.seq, s.slug, f.dir, f.replica, f.after, f.seen, p.dir AS project, w.dir AS wanted,
    g.after AS forked_at, o.id AS origin
  FROM roots r JOIN sessions s ON s.root = r.root AND s.no = 0
    LEFT JOIN session_folders f ON f.root = r.root AND f.host = $1
    LEFT JOIN root_projects p ON p.root = r.root LEFT JOIN folder_projects w ON w.dir = p.dir
    LEFT JOIN segments g ON g.root = r.root AND g.origin IS NOT NULL
    LEFT JOIN roots o ON o.root = g.origin AND o.hidden = 0
  WHERE r.hidden = 0`

/** About session folders. */
export const folderQuestions = {
  folder_of_root: `${found} AND r.root = $2`,
  folder_of_id: `${found} AND r.id = $2`,
  folders_of_host: `${found} AND f.dir IS NOT NULL ORDER BY r.root`,
  folders_in: `SELECT f.root, f.dir, f.seen, r.id, r.seq FROM session_folders f JOIN roots r ON r.root = f.root
    WHERE f.host = $1 AND r.hidden = 0`,
} satisfies Record<keyof FolderQuestions, Text>
