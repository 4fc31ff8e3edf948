import type { TokenListed } from '../../../operations/store/maintenance-port.ts'
import { safe } from '../output.ts'
import { table } from '../table.ts'
import { sentences } from '../wrap.ts'
import { ago, shortId, until, type ViewOf } from './view.ts'

function leaseOf({ lease }: TokenListed): string {
  return lease === null ? '–' : `${lease.name} (epoch ${lease.epoch})`
}

export const tokenTable: ViewOf<'token.list'> = ({ tokens, next_cursor }, terminal) => {
  if (tokens.length === 0) {
    const text = "No tokens but the owner's. Create one with cairn token create agent --session ID."
    return `${sentences(text, terminal)}\n`
  }
  const lines = table<TokenListed>(
    [
      { title: 'ID', cell: ({ id }) => shortId(id), style: () => 'bold' },
      { title: 'KIND', cell: ({ kind }) => kind },
      { title: 'NAME', cell: ({ name }) => name ?? '–', flexible: true },
      { title: 'SESSION', cell: ({ session_id }) => shortId(session_id) },
      { title: 'RUN', cell: ({ run }) => run ?? '–', flexible: true },
      { title: 'LEASE', cell: leaseOf, flexible: true },
      { title: 'SECRET FROM', cell: ({ changed_at }) => ago(changed_at) },
      { title: 'EXPIRES', cell: expiry, style: (row) => (expiry(row) === 'expired' ? 'red' : undefined) },
    ],
    tokens,
    terminal,
  )
  return next_cursor === null ? lines : `${lines}more: --cursor ${safe(next_cursor)}\n`
}

/** The token stands in a line of its own, to be copied. */
function minted(done: string): ViewOf<'token.create' | 'token.rotate'> {
  return (answer, terminal) => {
    const { id, kind, name, expires_at: at, token } = answer
    const named = name !== null ? `${safe(name)} (${kind}, ${shortId(id)})` : `${kind} ${shortId(id)}`
    const expires = at !== null ? `; it expires ${until(at)} (${at})` : ''
    // That of the owner is the only one that is kept.
    const kept = kind === 'owner' ? 'It is in the file token of the data folder.' : 'It cannot be shown again.'
    const note = terminal.paint('dim', kept)
    return `${done} ${terminal.paint('bold', named)}${expires}\n${token}\n${note}\n`
  }
}

export const createdToken = minted('Created token')
export const rotatedToken = minted('New secret for token')

export const revokedToken: ViewOf<'token.revoke'> = ({ id }) => `Revoked token ${shortId(id)}\n`

function expiry({ expires_at: at }: TokenListed): string {
  return at === null ? 'never' : until(at)
}
