// Subscribers of a server that is killed again and again while somebody writes: each goes on from its last sequence.
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { sandbox } from '../cli/sandbox.ts'
import { follow, type Heard, listen } from '../http/followers.ts'
import { resumable, wholeLog } from '../linear/validators.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { type RunningServer, startServer } from './servers.ts'

const subscribers = 50
const deaths = process.env.CAIRN_LONG === undefined ? 2 : 50
const writesOfLife = 20
const againMs = 100
const timeout = 60_000 + deaths * 15_000

/** One connection, over whichever way. */
interface Connection {
  readonly heard: readonly Heard[]
  readonly ended: Promise<unknown>
  close(): void
}

/** `since` is the last sequence that was seen. */
type Way = (port: number, root: string, since: number, token: string) => Promise<Connection>

const WAYS: readonly Way[] = [
  async (port, root, since, token) => {
    const query = `?root=${root}&type=event&since=${since}`
    const { heard, closed: ended, close } = await follow(port, query, { authorization: `Bearer ${token}` })
    return { heard, ended, close }
  },
  (port, root, since, token) => {
    const headers = { authorization: `Bearer ${token}`, 'last-event-id': String(since) }
    return listen(port, `?root=${root}&type=event`, headers)
  },
]

class Subscriber {
  /** What came over each connection, in turn. */
  readonly parts: FeedEvent[][] = []
  readonly #way: Way
  #connection: Connection | undefined

  constructor(way: Way) {
    this.#way = way
  }

  /** Follows until it has this event, however often it is cut off. */
  async follow(port: number, root: string, token: string, last: Promise<number>): Promise<void> {
    let target = Number.POSITIVE_INFINITY
    void last.then((seq) => {
      target = seq
    })
    while (this.seen < target) {
      const since = this.seen
      this.#connection = await this.#way(port, root, since, token).catch(() => undefined)
      if (this.#connection === undefined) await new Promise((resolve) => setTimeout(resolve, againMs))
      else await Promise.race([this.#connection.ended, last.then((seq) => this.#until(seq))])
      this.parts.push(this.#now())
      this.#connection?.close()
      this.#connection = undefined
    }
  }

  get seen(): number {
    return this.#now().at(-1)?.seq ?? this.parts.flat().at(-1)?.seq ?? 0
  }

  #now(): FeedEvent[] {
    const events = this.#connection?.heard.filter(({ type }) => type === 'event') ?? []
    return events.map(({ event }) => event as FeedEvent)
  }

  async #until(seq: number): Promise<void> {
    const { ended } = this.#connection as Connection
    let open = true
    void ended.then(() => {
      open = false
    })
    while (open && this.seen < seq) await new Promise((resolve) => setTimeout(resolve, againMs))
  }
}

describe.each(STORES)('subscribers of a server that is killed, on $name', (kind) => {
  const cairn = sandbox()
  const store = sharedStore(kind)

  function start(port = '0'): Promise<RunningServer> {
    const place = store().options.store ?? `sqlite:${store().home}/cairn.db`
    return startServer(cairn, ['--store', place, '--port', port])
  }

  it(`C28 U55 ${subscribers} of them over /ws and /events catch up without gap or repeat`, { timeout }, async () => {
    let server = await start()
    const { url, token } = server
    const { port } = new URL(url)
    const session = await store().createRoot()
    const writer = connect({ url, token, session })
    let tellLast: (seq: number) => void = () => undefined
    const last = new Promise<number>((resolve) => {
      tellLast = resolve
    })
    const all = Array.from({ length: subscribers }, (_, at) => new Subscriber(WAYS[at % WAYS.length] as Way))
    const followed = Promise.all(all.map((each) => each.follow(Number(port), session, token, last)))
    for (let life = 0; life <= deaths; life++) {
      const write = async (at: number) => {
        if (at % 3 > 0) return writer.state.increment({ key: 'n' })
        const both = ['a', 'b'].map((key) => ({ op: 'increment' as const, key }))
        return writer.state.batch({ operations: both })
      }
      for (let at = 0; at < writesOfLife; at++) await write(at)
      // Each hears something of every life, however long it takes to come back.
      const { seq } = await writer.state.set({ key: 'life', value: life })
      while (all.some((each) => each.seen < seq)) await new Promise((resolve) => setTimeout(resolve, againMs))
      if (life === deaths) break
      // While it is dead, and while it is coming back, the writer goes on: it is answered by the next one.
      const writing = write(0)
      await server.stop('SIGKILL')
      server = await start(port)
      await writing
    }
    const log = await wholeLog(await store().open(), session)
    tellLast(log.length)
    await followed
    for (const [at, { parts }] of all.entries()) {
      expect(resumable(parts, log), `subscriber ${at}`).toEqual([])
      expect(parts.filter((part) => part.length > 0).length, `subscriber ${at}`).toBeGreaterThan(deaths)
    }
    expect(await server.stop()).toEqual({ code: 0, signal: null })
  })
})
