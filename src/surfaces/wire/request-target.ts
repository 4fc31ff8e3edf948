import { type Refusal, refuse } from '../../domain/log/refusal.ts'

/** What a request is about. The path is as it was sent: a key may be called `..`, and nobody may tidy that away. */
export interface Target {
  readonly path: string
  readonly searchParams: URLSearchParams
}

/** Most requests ask nothing more, and are spared the parsing. */
const noQuery = new URLSearchParams()

export function targetOf(sent = '/'): Target | Refusal {
  if (sent.startsWith('/') && !sent.includes('?')) return { path: sent, searchParams: noQuery }
  const [path = '', ...rest] = sent.split('?')
  const query = rest.join('?')
  if (path.startsWith('/') && isText(query)) return { path, searchParams: new URLSearchParams(query) }
  return refuse('bad_request', 'The URL is invalid.', 'Give a path in percent-encoded UTF-8.')
}

function isText(query: string): boolean {
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}
