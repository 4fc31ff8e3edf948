import { question, questions } from '../log/questions.ts'
import type { SessionFolderRow } from './tables.ts'

/** A root with its folder on a host, or with what says whether it is to have one. */
export interface FolderFound {
  root: number
  id: string
  seq: number
  slug: string
  dir: string | null
  replica: string | null
  after: number | null
  /** What its files looked like when it was onboarded. */
  seen: string | null
  /** The working directory that it belongs to. */
  project: string | null
  /** The same, where sessions have folders. */
  wanted: string | null
  /** Of a fork, the last event that it shares. */
  forked_at: number | null
  /** Of a fork, the id of the root that it was forked from, while that is there. */
  origin: string | null
}

/** A folder that a root has on a host. */
export type FolderLinked = Pick<SessionFolderRow, 'root' | 'dir' | 'seen'> & { id: string; seq: number }

const found = `SELECT r.root, r.id, r.seq, s.slug, f.dir, f.replica, f.after, f.seen, p.dir AS project, w.dir AS wanted,
    g.after AS forked_at, o.id AS origin
  FROM roots r JOIN sessions s ON s.root = r.root AND s.no = 0
    LEFT JOIN session_folders f ON f.root = r.root AND f.host = $1
    LEFT JOIN root_projects p ON p.root = r.root LEFT JOIN folder_projects w ON w.dir = p.dir
    LEFT JOIN segments g ON g.root = r.root AND g.origin IS NOT NULL
    LEFT JOIN roots o ON o.root = g.origin AND o.hidden = 0
  WHERE r.hidden = 0`

/** About session folders. */
export const aboutFolders = questions({
  folder_of_root: question<FolderFound>(`${found} AND r.root = $2`),
  folder_of_id: question<FolderFound>(`${found} AND r.id = $2`),
  folders_of_host: question<FolderFound>(`${found} AND f.dir IS NOT NULL ORDER BY r.root`),
  folders_in:
    question<FolderLinked>(`SELECT f.root, f.dir, f.seen, r.id, r.seq FROM session_folders f JOIN roots r ON r.root = f.root
    WHERE f.host = $1 AND r.hidden = 0`),
})
