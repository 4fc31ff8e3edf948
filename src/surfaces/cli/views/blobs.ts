import { safe } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import { ago, type ViewOf } from './view.ts'

type Listed = AnswerOf<'blob.list'>['blobs'][number]

/** Hashes are shown whole: `cairn blob get` takes no less. */
export const blobTable: ViewOf<'blob.list'> = ({ blobs, next_cursor }, terminal) => {
  if (blobs.length === 0) return 'No blobs. Store a file: cairn blob put FILE\n'
  const lines = table<Listed>(
    [
      { title: 'HASH', cell: ({ hash }) => hash, style: () => 'bold' },
      { title: 'BYTES', cell: ({ bytes }) => String(bytes) },
      { title: 'CREATED', cell: ({ created_at }) => ago(created_at) },
    ],
    blobs,
    terminal,
  )
  return next_cursor === null ? lines : `${lines}more: --cursor ${safe(next_cursor)}\n`
}
