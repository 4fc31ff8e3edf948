// Requests made from the document, right ones and wrong ones, at random from a fixed seed.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { seedOf } from '../setup/seed.ts'
import { freshStore, STORES, sharedStore } from '../setup/stores.ts'
import { Fuzz } from './fuzz.ts'
import { type Answered, type Served, serveStore } from './served.ts'

const isLong = process.env.CAIRN_LONG !== undefined
const requests = isLong ? 100_000 : 1500
const ends = isLong ? 10_000 : 200

/** A root that has got full of odd things is left for another. */
const rootRequests = 200
/** One that may end at any time is left sooner. */
const doomedRequests = 20

/** Waits end in vain. Nothing else here may fail: the store is there, and nobody else asks for it. */
const mayEndInVain =
  /^\/operations\/(?:state|task)\.wait$|^\/sessions\/[^/?]*\/(?:state\/keys\/[^/?]*|tasks)\/wait(?:\?|$)/

function failure(path: string, { status, body }: Answered): string {
  return status === 504 && body.error === 'timeout' && mayEndInVain.test(path) ? 'a wait in vain' : String(body.error)
}

/** Sends so many; never a fault, always documented, no effect when refused. Gives how often each status came. */
async function send(served: Served, fuzz: Fuzz, seed: number, count: number, renew: () => Promise<void>) {
  const head = async () => (await served.ask('GET', `/sessions/${fuzz.session}/events?limit=1`)).body.last_seq
  const statuses = new Map<number, number>()
  for (let at = 0; at < count; at++) {
    if (at % (fuzz.doomed ? doomedRequests : rootRequests) === 0) await renew()
    const { method, path, headers, body, type } = fuzz.next()
    const what = `request ${at} of seed ${seed}: ${method} ${path} ${JSON.stringify({ headers, type })} ${String(body).slice(0, 300)}`
    const before = await head()
    const answered = await served.ask(method, path, { headers, body, type }).catch((error: unknown) => {
      throw new Error(what, { cause: error })
    })
    statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1)
    if (answered.status >= 400) expect(await head(), what).toBe(before)
    if (answered.status >= 500) expect(failure(path, answered), `${what} ${answered.text}`).toBe('a wait in vain')
  }
  expect(Object.keys(Object.prototype)).toEqual([])
  expect((await served.ask('GET', '/health')).status).toBe(200)
  return statuses
}

for (const kind of STORES) {
  describe(`the fuzzer on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it(`${requests} requests from the document: never a fault, always documented, no effect when refused`, async () => {
      const seed = seedOf(4711)
      const served = await serveStore(store())
      const fuzz = new Fuzz(seed)
      const statuses = await send(served, fuzz, seed, requests, async () => {
        const made = await served.ask('POST', '/sessions', { body: { topic: 'fuzzed' } })
        fuzz.session = String(made.body.session_id)
      })
      // A fuzzer that is only ever refused, or never, would find nothing.
      for (const status of [200, 201, 400, 404, 409, 415, 422, 428])
        expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0)
    }, 10_800_000)
  })

  describe(`the fuzzer of what ends things on ${kind.name}`, () => {
    const store = freshStore(kind)

    it(`${ends} requests, some of which end sessions and tokens, tend the store or remove from it`, async () => {
      const seed = seedOf(4712)
      const served = await serveStore(store())
      const fuzz = new Fuzz(seed)
      const folder = mkdtempSync(join(tmpdir(), 'cairn-fuzz-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const statuses = await send(served, fuzz, seed, ends, async () => {
        const { body: made } = await served.ask('POST', '/sessions', { body: { topic: 'doomed' } })
        const { body: token } = await served.ask('POST', '/tokens', { body: { kind: 'reader' } })
        fuzz.session = String(made.session_id)
        fuzz.doomed = { token: String(token.id), slug: String(made.slug), folder }
      })
      for (const status of [200, 201, 404, 409, 422]) expect(statuses.get(status) ?? 0, `${status}`).toBeGreaterThan(0)
      expect(readdirSync(folder), 'backups were written').not.toEqual([])
    }, 10_800_000)
  })
}
