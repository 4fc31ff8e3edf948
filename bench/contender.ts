// A process that increments one key of a store from a moment on for a while; prints what it got.
import { CairnRefusal, openCairn } from '../src/index.ts'

/** What one process has done. */
export interface Contended {
  readonly done: number
  /** The longest that one write took. */
  readonly worstMs: number
  /** Codes of refusals. */
  readonly refused: readonly string[]
}

const [home, session, key, startAt, ms] = process.argv.slice(2) as [string, string, string, string, string]
const cairn = await openCairn({ home, session })
await cairn.state.all({})
await new Promise((resolve) => setTimeout(resolve, Math.max(0, Number(startAt) - Date.now())))
const end = performance.now() + Number(ms)
const refused: string[] = []
let done = 0
let worstMs = 0
while (performance.now() < end) {
  const start = performance.now()
  try {
    await cairn.state.increment({ key })
    done += 1
  } catch (error) {
    if (!(error instanceof CairnRefusal)) throw error
    refused.push(error.code)
  }
  worstMs = Math.max(worstMs, performance.now() - start)
}
await cairn.close()
console.log(JSON.stringify({ done, worstMs, refused } satisfies Contended))
