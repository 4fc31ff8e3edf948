// Requests made from the document, right ones and wrong ones, at random from a fixed seed.
import { describe, expect, it } from 'vitest'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { Fuzz } from './fuzz.ts'
import { serveStore } from './served.ts'

const requests = process.env.CAIRN_LONG === undefined ? 1000 : 100_000

/** A root that has got full of odd things is left for another. */
const rootRequests = 200

/** Waits end in vain, and what else is not there in time. */
const mayFail = [503, 504]

for (const kind of STORES) {
  describe(`the fuzzer on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it(`${requests} requests from the document: never a fault, always documented, no effect when refused`, async () => {
      const seed = seedOf(4711)
      const served = await serveStore(store())
      const fuzz = new Fuzz(seed)
      const head = async () => (await served.ask('GET', `/sessions/${fuzz.session}/events?limit=1`)).body.last_seq
      const statuses = new Map<number, number>()
      for (let at = 0; at < requests; at++) {
        if (at % rootRequests === 0) {
          const made = await served.ask('POST', '/sessions', { body: { topic: 'fuzzed' } })
          fuzz.session = String(made.body.session_id)
        }
        const { method, path, headers, body, type } = fuzz.next()
        const what = `request ${at} of seed ${seed}: ${method} ${path} ${JSON.stringify({ headers, type })} ${String(body).slice(0, 300)}`
        const before = await head()
        const answered = await served.ask(method, path, { headers, body, type }).catch((error: unknown) => {
          throw new Error(what, { cause: error })
        })
        statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1)
        if (answered.status >= 400) expect(await head(), what).toBe(before)
        if (answered.status >= 500) expect(mayFail, `${what} ${answered.text}`).toContain(answered.status)
      }
      expect(Object.keys(Object.prototype)).toEqual([])
      expect((await served.ask('GET', '/health')).status).toBe(200)
      // A fuzzer that is only ever refused, or never, would find nothing.
      for (const status of [200, 201, 400, 404, 409, 415, 422, 428])
        expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0)
    }, 3_600_000)
  })
}
