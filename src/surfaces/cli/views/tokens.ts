import type { TokenListed } from '../../../operations/store/maintenance-port.ts'
import { safe } from '../output.ts'
import { table } from '../table.ts'
import { ago, shortId, type View } from './view.ts'

export const tokenTable: View = ({ tokens, next_cursor }, terminal) => {
  const rows = tokens as unknown as TokenListed[]
  if (rows.length === 0) return 'None but that of the owner. Create one: cairn token create agent --session ID\n'
  const lines = table<TokenListed>(
    [
      { title: 'ID', cell: ({ id }) => shortId(id), style: () => 'bold' },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'NAME', cell: ({ name }) => name ?? '–', flexible: true },
      { title: 'SESSION', cell: ({ session_id }) => shortId(session_id) },
      { title: 'RUN', cell: ({ run }) => run ?? '–', flexible: true },
      { title: 'SECRET FROM', cell: ({ changed_at }) => ago(changed_at) },
      { title: 'EXPIRES', cell: ({ expires_at }) => expires_at ?? '–' },
    ],
    rows,
    terminal,
  )
  return typeof next_cursor === 'string' ? `${lines}more: --cursor ${safe(next_cursor)}\n` : lines
}
