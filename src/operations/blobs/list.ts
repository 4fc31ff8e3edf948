import { blobs } from '../../domain/blobs/tables.ts'
import { isoTime } from '../../domain/log/identity.ts'
import { askRows } from '../../domain/log/questions.ts'
import { cursor, limit } from '../inputs.ts'
import { read } from '../operation.ts'

/** It takes no `at`: no event tells of blobs, so they have no past. */
export const blobList = read({
  name: 'blob.list',
  summary: 'List the blobs of a root by hash: size and time of creation.',
  command: { words: ['blob ls'] },
  input: { limit, cursor: cursor('', 64) },
  snapshot: false,
  *read({ limit = 100, cursor: last }, { root, rootId }) {
    // A longer text is after its beginning and before every other hash.
    const from = last === undefined ? {} : { column: 'hash', from: `${last}0` }
    const rows = yield* askRows(blobs, root, { ...from, most: limit + 1 })
    const page = rows.slice(0, limit)
    const shown = page.map(({ hash, bytes, created_at }) => ({ hash, bytes, created_at: isoTime(created_at) }))
    const next_cursor = rows.length > limit ? (page.at(-1)?.hash ?? null) : null
    return { root_session_id: rootId, blobs: shown, next_cursor }
  },
})
