import { CairnRefusal, refuse } from '../domain/log/refusal.ts'
import { causeOf, isUnsent, outcomeOf, type Received, retryMsOf, type Send, settled, Unsent } from './attempt.ts'

/** Where a server is, and what is said to it with every request. */
export interface Address {
  /** Ends with a slash. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** What of the log is wanted over one connection; without a root all of them, from now on. */
export interface FeedQuery {
  readonly root?: string
  readonly stream?: string | undefined
  readonly since?: number
}

/** Asks for a feed; throws the refusal of the server, or anything when it is not there. */
export type OpenFeed = (query: FeedQuery, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>

/** What can stand in a header; others than these letters come percent-encoded. */
const headerText = /^[ -~\u0080-\u00ff]*$/

/** Refuses, rather than finds out at each request, what no request can be made of. */
export function addressOf(url: string, headers: Record<string, string>): Address {
  try {
    const { href, protocol } = new URL(url.endsWith('/') ? url : `${url}/`)
    const canBeSent = Object.values(headers).every((value) => headerText.test(value))
    if (canBeSent && (protocol === 'http:' || protocol === 'https:')) return { url: href, headers }
  } catch {
    // Said below.
  }
  const hint = 'Give a URL such as http://127.0.0.1:4747, and the token exactly as it was issued.'
  throw new CairnRefusal(refuse('invalid_input', 'The URL or the token is invalid.', hint))
}

export function sending({ url, headers }: Address): Send {
  return async (operation, body, signal) => {
    const asked = { method: 'POST', headers, body, signal, redirect: 'error' } as const
    const response = await fetch(new URL(`operations/${operation}`, url), asked).catch(throwUnsent)
    return received(response)
  }
}

export function opening({ url, headers }: Address): OpenFeed {
  return async (query, signal) => {
    const target = new URL('events', url)
    for (const [name, value] of Object.entries({ type: 'event', ...query })) {
      if (value !== undefined) target.searchParams.set(name, String(value))
    }
    const response = await fetch(target, { headers, signal, redirect: 'error' })
    if (response.ok && response.body) return response.body
    const outcome = outcomeOf(await received(response))
    if (typeof outcome === 'object') settled(outcome)
    throw new Error('that is no feed')
  }
}

async function received(response: Response): Promise<Received> {
  const retryMs = retryMsOf(response.headers.get('retry-after'))
  return { status: response.status, text: await response.text(), retryMs }
}

function throwUnsent(error: unknown): never {
  throw isUnsent(causeOf(error)) ? new Unsent('nobody took the request') : error
}
