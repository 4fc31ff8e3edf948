import { safe, safeLines } from '../output.ts'
import { table } from '../table.ts'
import { ago, type View } from './view.ts'

interface Listed {
  readonly path: string
  readonly bytes: number
  readonly modified_at: string
}

export const fileTable: View = ({ dir, files, truncated }, terminal) => {
  const rows = files as unknown as Listed[]
  const lines = table<Listed>(
    [
      { title: 'FILE', cell: ({ path }) => path, style: () => 'bold' },
      { title: 'BYTES', cell: ({ bytes }) => String(bytes) },
      { title: 'CHANGED', cell: ({ modified_at }) => ago(modified_at) },
    ],
    rows,
    terminal,
  )
  return `${safe(String(dir))}\n${rows.length === 0 ? 'It is empty.\n' : lines}${truncated === true ? 'There are more.\n' : ''}`
}

export const fileText: View = ({ path, text, bytes, more }) => {
  if (typeof text !== 'string') return `${safe(String(path))} is not text (${bytes} bytes); --json has it in base64.\n`
  const shown = safeLines(text)
  return `${shown}${shown.endsWith('\n') ? '' : '\n'}${more === true ? `… of ${bytes} bytes\n` : ''}`
}
