// Feeds of the typed client over connections that are cut at any byte, from a server that is killed again and again.
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import type { Cairn } from '../../src/open.ts'
import { sandbox } from '../cli/sandbox.ts'
import { gapFree, resumable, wholeLog } from '../linear/validators.ts'
import { drawing } from '../setup/random-steps.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { Lives } from './lives.ts'

const deaths = process.env.CAIRN_LONG === undefined ? 2 : 25
const writesOfLife = 90
const cutsOfLife = 12
const bytesMax = 8000
const writers = 4
const timeout = 60_000 + deaths * 20_000

/** All events until a key was set so many times, once in each root. */
async function until(events: AsyncGenerator<FeedEvent, void>, key: string, roots = 1): Promise<FeedEvent[]> {
  const took: FeedEvent[] = []
  let left = roots
  for await (const event of events) {
    took.push(event)
    if (event.key === key) left -= 1
    if (left === 0) break
  }
  return took
}

async function write(cairn: Cairn, sessions: readonly string[]): Promise<void> {
  const both = ['a', 'b'].map((key) => ({ op: 'increment' as const, key }))
  const one = async (writer: number) => {
    for (let at = writer; at < writesOfLife; at += writers) {
      const session = sessions[at % sessions.length] as string
      if (at % 3 > 0) await cairn.state.increment({ session, key: 'n' })
      else await cairn.state.batch({ session, operations: both })
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)))
}

/** Cuts, writes and deaths; `between` says which sessions are written to in each life. */
async function storm(lives: Lives, seed: number, between: (life: number) => Promise<readonly string[]>): Promise<void> {
  const draw = drawing(seed)
  for (let life = 0; life <= deaths; life++) {
    const sessions = await between(life)
    lives.cutting.plan.push(...Array.from({ length: cutsOfLife }, () => ({ bytes: 1 + draw(bytesMax) })))
    const writing = write(lives.direct(), sessions)
    if (life < deaths) {
      await lives.die()
      await lives.riseAgain()
    }
    await writing
  }
}

describe.each(STORES)('feeds of the client through a storm, on $name', (kind) => {
  const cairn = sandbox()
  const store = sharedStore(kind)
  const seed = seedOf(28)
  const feedsIn = (lives: Lives) => lives.cutting.asked.filter((path) => path.startsWith('/events'))

  it(`C28 S0-27 every event of a root comes once and in order (seed ${seed})`, { timeout }, async () => {
    const lives = await Lives.of(cairn, store())
    const session = await store().createRoot()
    const client = connect({ url: lives.cutting.url, token: lives.token, session })
    const following = until(client.follow(), 'end')
    const watching = until(client.state.watch({ since: 0, prefix: 'e' }), 'end')
    await storm(lives, seed, async () => [session])
    await lives.direct().state.set({ session, key: 'end', value: true })
    const [events, watched] = await Promise.all([following, watching])
    const log = await wholeLog(await store().open(), session)
    expect(resumable([events], log)).toEqual([])
    expect(watched.map(({ key }) => key)).toEqual(['end'])
    expect(feedsIn(lives).length).toBeGreaterThan(cutsOfLife)
    await lives.stop()
  })

  it(`C28 every event of all roots comes once, each root in its order (seed ${seed})`, { timeout }, async () => {
    const lives = await Lives.of(cairn, store())
    const roots = [await store().createRoot(), await store().createRoot()]
    const [, known] = roots as [string, string]
    await write(lives.direct(), [known])
    const { last_seq: since } = await lives.direct().log.list({ session: known, limit: 1 })
    const client = connect({ url: lives.cutting.url, token: lives.token, session: known })
    const following = until(client.followAll({ since: { [known]: since } }), 'end of all', roots.length + deaths)
    await storm(lives, seed, async (life) => {
      if (life > 0) roots.push((await lives.direct().session.create({ topic: `of life ${life}` })).session_id)
      return roots
    })
    for (const session of roots) await lives.direct().state.set({ session, key: 'end of all', value: true })
    const events = await following
    const library = await store().open()
    for (const root of roots) {
      const own = events.filter((event) => event.root_session_id === root)
      const log = await wholeLog(library, root)
      if (root === known) expect(gapFree(own, log, since)).toEqual([])
      else expect(resumable([own], log)).toEqual([])
      expect(own.map(({ seq }) => seq)).toEqual([...own.keys()].map((at) => at + log.length - own.length + 1))
    }
    await lives.stop()
  })
})
