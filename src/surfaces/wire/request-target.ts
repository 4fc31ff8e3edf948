import { type Refusal, refuse } from '../../domain/log/refusal.ts'

/** What a request is about. The path is as it was sent: a key may be called `..`, and nobody may tidy that away. */
export interface Target {
  readonly path: string
  readonly searchParams: URLSearchParams
}

/** Most requests ask nothing more, and are spared the parsing. */
const noQuery = new URLSearchParams()

export function targetOf(sent = '/'): Target | Refusal {
  if (sent.startsWith('/') && !sent.includes('?') && !sent.includes('%')) return { path: sent, searchParams: noQuery }
  const [path = '', ...rest] = sent.split('?')
  const query = rest.join('?')
  if (!path.startsWith('/')) return refuse('bad_request', 'The URL has no path.', 'Begin the path with /.')
  const broken = brokenIn(path) ?? brokenIn(query)
  if (broken === undefined) return { path, searchParams: new URLSearchParams(query) }
  const hint = 'Encode each name and value as UTF-8 in percent-encoding; a % itself is %25.'
  return refuse('bad_request', `The URL has an invalid percent-encoding: ${broken}.`, hint)
}

/** What of a text is no percent-encoded UTF-8. */
function brokenIn(text: string): string | undefined {
  try {
    decodeURIComponent(text)
    return undefined
  } catch {
    const [odd] = /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text) ?? /(?:%[89A-Fa-f][0-9A-Fa-f])+/.exec(text) ?? ['%']
    return odd.slice(0, 30)
  }
}
