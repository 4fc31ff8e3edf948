// A feed that is open stays open: only the opening of it has a limit of time.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'
import { Cutting } from './cutting.ts'

const cairn = sandbox()

/** Longer than a server is given to begin a feed, and shorter than the silence after which it is taken for lost. */
const laterMs = 30_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** The server is a process of its own, so only the time of the client is made to pass. */
async function served() {
  const server = await startServer(cairn)
  const cutting = await new Cutting().listen()
  cutting.leadTo(server.url)
  const { token } = server
  const direct = connect({ url: server.url, token })
  const { session_id: session } = await direct.session.create({ topic: 'a feed' })
  const client = connect({ url: cutting.url, token, session })
  const opened = () => cutting.asked.filter((path) => path.startsWith('/events')).length
  return { direct, session, client, opened }
}

it.each(['follow', 'followAll'] as const)('%s brings what happens long after it was opened', async (name) => {
  const { direct, session, client, opened } = await served()
  const events = client[name]()
  const seqs: number[] = []
  /** The next one of the root of this test. */
  const take = async () => {
    for (;;) {
      const { value: event } = await events.next()
      if (event?.root_session_id !== session) continue
      seqs.push(event.seq)
      return
    }
  }
  await take()
  await direct.state.set({ session, key: 'a', value: 1 })
  await take()
  const before = opened()
  vi.advanceTimersByTime(laterMs)
  // What is asked for again because it was lost takes its time from here on.
  vi.useRealTimers()
  await direct.state.set({ session, key: 'a', value: 2 })
  await take()
  expect(seqs).toEqual([1, 2, 3])
  expect(opened()).toBe(before)
  await client.close()
})
