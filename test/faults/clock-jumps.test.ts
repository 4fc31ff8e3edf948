// A server whose clock jumps by hours, forward and back, again and again, while agents work.
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import type { Cairn } from '../../src/open.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'
import { shiftedBy, shiftedClock } from '../setup/shifted-clock.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const agents = 6
const steps = process.env.CAIRN_LONG === undefined ? 25 : 1000
const hours = 3600
const clock = shiftedClock()

/** What may be said no to by a server that believes that hours have passed: what was meant to end has ended. */
const ended = ['key_not_found', 'fenced', 'timeout', 'held_by_other']

async function unlessEnded(answering: Promise<unknown>): Promise<string | undefined> {
  try {
    await answering
    return undefined
  } catch (error) {
    if (error instanceof CairnRefusal && ended.includes(error.code)) return undefined
    return error instanceof CairnRefusal ? `${error.code}: ${error.message}` : String(error)
  }
}

/** Works through all that has to do with time; what was refused for any other reason. */
async function work(client: ReturnType<typeof connect>, own: string): Promise<string[]> {
  const wrong: string[] = []
  for (let step = 0; step < steps; step++) {
    const request_id = `${own} ${step}`
    const first = await client.state.increment({ key: 'n', request_id })
    const again = await client.state.increment({ key: 'n', request_id })
    if (JSON.stringify(first) !== JSON.stringify(again)) wrong.push(`a repeat was answered ${JSON.stringify(again)}`)
    const claimed = await client.lease.claim({ name: own, ttl: '1h' })
    const held = { name: own, token: claimed.token }
    const asked = [
      client.state.set({ key: `${own}/short`, value: step, ttl: '10s' }),
      client.state.set({ key: `${own}/long`, value: step, ttl: '24h' }),
      client.state.get({ key: `${own}/short` }),
      client.state.wait({ key: `${own}/never`, timeout: '20ms' }),
      client.lease.heartbeat(held),
      client.state.set({ key: `${own}/fenced`, value: step, fence: `${own}:${claimed.token}` }),
      client.context.append({ role: 'user', content: `step ${step}` }),
    ]
    wrong.push(...(await Promise.all(asked.map(unlessEnded))).filter((each) => each !== undefined))
    const let_go = await unlessEnded(client.lease.release(held))
    if (let_go !== undefined) wrong.push(let_go)
  }
  return wrong
}

/** Every event once and in order, until a number has come. */
async function follow(client: Pick<Cairn, 'follow'>, end: Promise<number>): Promise<number[]> {
  const seen: number[] = []
  let last = Number.POSITIVE_INFINITY
  void end.then((seq) => {
    last = seq
  })
  for await (const { seq } of client.follow({ since: 0 } as never)) {
    seen.push(seq)
    if (seq >= last) break
  }
  return seen
}

for (const kind of STORES) {
  describe(`a server on ${kind.name} whose clock jumps`, () => {
    const store = sharedStore(kind)

    it('U21 S0-3 C28 loses nothing, doubles nothing and refuses nobody for it', async (context) => {
      if ('missing' in clock) return context.skip(clock.missing)
      const sandbox = new Sandbox()
      onTestFinished(() => sandbox.remove())
      const place = store().options.store ?? `sqlite:${store().home}/cairn.db`
      const server = await startServer(sandbox, ['--store', place], shiftedBy(7 * hours, clock))
      const session = await store().createRoot()
      const owner = connect({ url: server.url, token: server.token, session })
      const names = Array.from({ length: agents }, (_, at) => `agent-${at}`)
      const clients = await Promise.all(
        names.map(async (name) => {
          const child = await owner.session.create({ topic: name, name, parent: session })
          const { token } = await owner.token.create({ kind: 'agent', session: child.session_id })
          return connect({ url: server.url, token })
        }),
      )
      let tell: (seq: number) => void = () => undefined
      const seen = follow(owner as never, new Promise((resolve) => (tell = resolve)))
      const wrong = await Promise.all(clients.map((client, at) => work(client, names[at] as string)))
      expect(wrong.flat()).toEqual([])
      tell((await owner.log.list({ limit: 1 })).last_seq)
      await owner.state.set({ key: 'done', value: true })
      const all = await seen
      expect(all).toEqual(all.map((_, at) => at + 1))
      expect((await owner.state.get({ key: 'n' })).value).toBe(agents * steps)
      const log = (await owner.log.list({ since: 0, limit: 1000 })).events
      const backwards = log.filter(({ at }, index) => index > 0 && at < (log[index - 1]?.at ?? ''))
      expect(backwards.length, 'the clock never went back').toBeGreaterThan(0)
      const { checks } = await owner.store.doctor({})
      expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([])
      expect(await server.stop()).toEqual({ code: 0, signal: null })
    })
  })
}
