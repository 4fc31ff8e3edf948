import type { BlobQuestions } from '../../domain/blobs/questions.ts'
import { atMost, type Text } from './text.ts'

const unnamed = 'NOT EXISTS (SELECT 1 FROM blobs b WHERE b.content = c.content)'

/** About bytes by their hash. */
export const blobQuestions = {
  // Content that several roots share is one row, with one of them.
  blobs_after: `SELECT b.content, b.hash, b.bytes, min(r.id) AS id FROM blobs b JOIN roots r ON r.root = b.root
    WHERE (b.content, b.hash) > ($1, $2) GROUP BY b.content, b.hash, b.bytes ORDER BY b.content, b.hash ${atMost(3)}`,
  chunk_count: 'SELECT count(*) AS count FROM blob_chunks WHERE content = $1',
  // What was begun before a moment: ids of content sort by time. Its first chunk comes first and goes with all others.
  contents_unnamed: `SELECT c.content FROM blob_chunks c WHERE c.no = 0 AND c.content < $1 AND ${unnamed}`,
  uploads_broken: `SELECT c.content FROM blob_chunks c WHERE ${unnamed}
    GROUP BY c.content HAVING min(c.no) <> 0 OR max(c.no) <> count(*) - 1`,
} satisfies Record<keyof BlobQuestions, Text>
