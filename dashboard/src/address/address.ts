// What is shown stands in the URL: whoever is sent it sees the same, at the same moment.

export const tabs = ['overview', 'state', 'timeline', 'conversations', 'journal', 'files', 'forks'] as const
export type Tab = (typeof tabs)[number]

export type Address =
  | { readonly page: 'home' }
  | { readonly page: 'health' }
  | { readonly page: 'nowhere' }
  | { readonly page: 'session'; readonly root: string; readonly tab: Tab; readonly query: Query }

/** Of a session: the moment, and what is selected. Whatever is absent is as usual. */
export interface Query {
  /** A place in the log; live without it. */
  readonly at?: number | undefined
  /** The key whose panel is open. */
  readonly key?: string | undefined
  /** The id of the session that is selected. */
  readonly agent?: string | undefined
  /** The event that is selected. */
  readonly event?: number | undefined
  /** The message to jump to: its place in the conversation. */
  readonly point?: number | undefined
  /** Two places that are compared. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

const base = '/ui/'
const numbers = ['at', 'event', 'point', 'from', 'to'] as const
const texts = ['key', 'agent'] as const

export function readAddress(url: URL): Address {
  const [page = '', root = '', tab = 'overview'] = url.pathname.slice(base.length).split('/')
  if (page === '') return { page: 'home' }
  if (page === 'health') return { page: 'health' }
  const known = tabs.find((each) => each === tab)
  if (page !== 's' || root === '' || known === undefined) return { page: 'nowhere' }
  return { page: 'session', root: decodeURIComponent(root), tab: known, query: readQuery(url.searchParams) }
}

function readQuery(params: URLSearchParams): Query {
  const query: { [name: string]: string | number } = {}
  for (const name of numbers) {
    const text = params.get(name) ?? ''
    if (/^\d{1,15}$/.test(text)) query[name] = Number(text)
  }
  for (const name of texts) {
    const text = params.get(name)
    if (text !== null) query[name] = text
  }
  return query
}

export function writeAddress(address: Address): string {
  if (address.page === 'home' || address.page === 'nowhere') return base
  if (address.page === 'health') return `${base}health`
  const params = new URLSearchParams()
  for (const name of [...numbers, ...texts]) {
    const value = address.query[name]
    if (value !== undefined) params.set(name, String(value))
  }
  const query = params.size === 0 ? '' : `?${params}`
  return `${base}s/${encodeURIComponent(address.root)}/${address.tab}${query}`
}
