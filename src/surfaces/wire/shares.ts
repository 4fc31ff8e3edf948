import type { Limits } from '../../domain/log/limits.ts'
import { CairnRefusal, type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Caller } from '../../log/access/caller.ts'

type ShareName = 'tokenRequests' | 'tokenFeeds'

/** What one token may have open at a time, and when to come back. */
const kinds: Readonly<Record<ShareName, { readonly what: string; readonly hint: string; readonly retryMs: number }>> = {
  tokenRequests: { what: 'requests', hint: 'Wait for answers before you send more requests.', retryMs: 100 },
  tokenFeeds: { what: 'feeds', hint: 'Close a feed before you open another, or follow a whole root.', retryMs: 1000 },
}

/**
 * How much of the server each token uses at the moment: one that asks for more than its share is refused before anything is done for it.
 * The owner has no share: an owner who is kept out by its own agents could not end them.
 */
export class Shares {
  readonly #limits: Limits
  readonly #open = { tokenRequests: new Map<string, number>(), tokenFeeds: new Map<string, number>() }

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Throws a refusal where the token has too much open; gives the way to end what was begun, which may be called again. */
  enter(name: ShareName, { principal, scope }: Caller): () => void {
    if (scope === 'owner' || scope === 'login') return nothing
    const open = this.#open[name]
    const before = open.get(principal) ?? 0
    const limit = this.#limits[name]
    if (before >= limit) throw new CairnRefusal(tooMany(name, limit))
    open.set(principal, before + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      const left = (open.get(principal) ?? 1) - 1
      if (left > 0) open.set(principal, left)
      else open.delete(principal)
    }
  }
}

function nothing(): void {}

function tooMany(name: ShareName, limit: number): Refusal {
  const { what, hint, retryMs } = kinds[name]
  const message = `This token already has ${limit} ${what} open; the limit ${name} is ${limit}.`
  return refuse('rate_limited', message, hint, { limit: name, limit_value: limit, retry_after_ms: retryMs })
}
