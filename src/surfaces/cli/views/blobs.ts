import { safe } from '../output.ts'
import { table } from '../table.ts'
import { ago, type View } from './view.ts'

interface Listed {
  readonly hash: string
  readonly bytes: number
  readonly created_at: string
}

/** Hashes are shown whole: `cairn blob get` takes no less. */
export const blobTable: View = ({ blobs, next_cursor }, terminal) => {
  const rows = blobs as unknown as Listed[]
  if (rows.length === 0) return 'No blobs. Store a file: cairn blob put FILE\n'
  const lines = table<Listed>(
    [
      { title: 'HASH', cell: ({ hash }) => hash, style: () => 'bold' },
      { title: 'BYTES', cell: ({ bytes }) => String(bytes) },
      { title: 'CREATED', cell: ({ created_at }) => ago(created_at) },
    ],
    rows,
    terminal,
  )
  return typeof next_cursor === 'string' ? `${lines}more: --cursor ${safe(next_cursor)}\n` : lines
}
