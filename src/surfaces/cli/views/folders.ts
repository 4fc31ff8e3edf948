import { safe, safeLines } from '../output.ts'
import type { AnswerOf } from '../registry/presentation.ts'
import { table } from '../table.ts'
import { ago, type ViewOf } from './view.ts'

type Listed = AnswerOf<'folder.list'>['files'][number]

export const fileTable: ViewOf<'folder.list'> = ({ dir, files, truncated }, terminal) => {
  const lines = table<Listed>(
    [
      { title: 'FILE', cell: ({ path }) => path, style: () => 'bold' },
      { title: 'BYTES', cell: ({ bytes }) => String(bytes) },
      { title: 'CHANGED', cell: ({ modified_at }) => ago(modified_at) },
    ],
    files,
    terminal,
  )
  return `${safe(dir)}\n${files.length === 0 ? 'It is empty.\n' : lines}${truncated ? 'There are more.\n' : ''}`
}

export const fileText: ViewOf<'folder.read'> = ({ path, text, bytes, more }) => {
  if (typeof text !== 'string') return `${safe(String(path))} is not text (${bytes} bytes); --json has it in base64.\n`
  const shown = safeLines(text)
  return `${shown}${shown.endsWith('\n') ? '' : '\n'}${more === true ? `… of ${bytes} bytes\n` : ''}`
}
