import { question, questions } from '../log/questions.ts'
import { atMost } from '../log/sql/text.ts'
import type { RootRow } from '../log/tables.ts'
import type { BlobRow } from './tables.ts'

/** A blob, and one of the roots that have it. */
export type BlobListed = Pick<BlobRow, 'content' | 'hash' | 'bytes'> & Pick<RootRow, 'id'>

const unnamed = 'NOT EXISTS (SELECT 1 FROM blobs b WHERE b.content = c.content)'

/** About bytes by their hash. */
export const aboutBlobs = questions({
  // Content that several roots share is one row, with one of them.
  blobs_after:
    question<BlobListed>(`SELECT b.content, b.hash, b.bytes, min(r.id) AS id FROM blobs b JOIN roots r ON r.root = b.root
    WHERE (b.content, b.hash) > ($1, $2) GROUP BY b.content, b.hash, b.bytes ORDER BY b.content, b.hash ${atMost(3)}`),
  chunk_count: question<{ count: number }>('SELECT count(*) AS count FROM blob_chunks WHERE content = $1'),
  // What was begun before a moment: ids of content sort by time. Its first chunk comes first and goes with all others.
  contents_unnamed: question<Pick<BlobRow, 'content'>>(
    `SELECT c.content FROM blob_chunks c WHERE c.no = 0 AND c.content < $1 AND ${unnamed}`,
  ),
  uploads_broken: question<Pick<BlobRow, 'content'>>(`SELECT c.content FROM blob_chunks c WHERE ${unnamed}
    GROUP BY c.content HAVING min(c.no) <> 0 OR max(c.no) <> count(*) - 1`),
})
