// Whoever applies what the feed says, and nothing else, has the state: live and replayed, from the beginning or from any point on.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { statePart } from '../../src/domain/state/part.ts'
import type { Json } from '../../src/index.ts'
import { EvolvingRows } from '../setup/evolving-rows.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from '../together/own-log.ts'
import { type Happening, History, happenings, type Methods } from './feed-histories.ts'
import { follow, type Heard, listen } from './followers.ts'
import { type Served, serveStore } from './served.ts'

const isLong = process.env.CAIRN_LONG !== undefined

type Document = { [key: string]: Json }
type Keys = { [key: string]: { value: Json; version: number } }

/** What a follower reads again when it is told to, of the moment that it was told about. */
interface Reading {
  readonly cairn: Methods
  readonly session: string
}

async function documentAt({ cairn, session }: Reading, at: number): Promise<{ state: Document; keys: Keys }> {
  const asking = cairn.state.all({ session, at })
  const answer = await asking.catch((error: { code?: string }) => {
    if (error.code === 'state_not_found') return { state: {}, keys: {} }
    throw error
  })
  return { state: answer.state as Document, keys: versionsIn(answer.keys) }
}

function versionsIn(keys: object): Keys {
  const entries = Object.entries(keys as { [key: string]: { value: Json; version: number } })
  return Object.fromEntries(entries.map(([key, { value, version }]) => [key, { value, version }]))
}

async function valueAt({ cairn, session }: Reading, key: string, at: number): Promise<Json> {
  const value = (await cairn.state.get({ session, key, at })).value as Json
  // What could have been told is told.
  expect(bytesOf(value)).toBeGreaterThan(toldBytesMax)
  return value
}

const toldBytesMax = 4096

function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** One who keeps each key with its version, by the messages about keys. */
async function byKeys(reading: Reading, heard: readonly Heard[], start: Keys): Promise<Keys> {
  let keys = { ...start }
  for (const message of heard) {
    const { type, seq } = message
    const { key, version } = message as unknown as { key: string; version: number }
    if (type === 'state_reset') keys = (await documentAt(reading, seq)).keys
    if (type === 'state_key_deleted') delete keys[key]
    if (type !== 'state_key_updated') continue
    const value = message.value_omitted === true ? await valueAt(reading, key, seq) : (message.value as Json)
    if (message.value_omitted !== true) expect(bytesOf(value)).toBeLessThanOrEqual(toldBytesMax)
    keys[key] = { value, version }
  }
  return keys
}

/** One who keeps the document, by its patches. */
async function byPatches(reading: Reading, heard: readonly Heard[], start: Document): Promise<Document> {
  let state = { ...start }
  for (const message of heard) {
    if (message.type !== 'state_updated') continue
    if (message.patch_omitted === true) state = (await documentAt(reading, message.seq)).state
    else {
      const { patch, deleted, omitted } = message as unknown as {
        patch: Document
        deleted: string[]
        omitted: string[]
      }
      Object.assign(state, patch)
      for (const key of deleted) delete state[key]
      for (const key of omitted) state[key] = await valueAt(reading, key, message.seq)
    }
  }
  return state
}

const ofKeys = 'type=event,state_key_updated&type=state_key_deleted&type=state_reset'
const ofPatches = 'type=state_updated,session_created'

interface Followed {
  readonly heard: readonly Heard[]
  until(isIt: (message: Heard) => boolean): Promise<Heard>
  close(): void
}

/** Something that is said of no key, so that all before it has been said. */
async function marked({ cairn, session }: Reading): Promise<(message: Heard) => boolean> {
  const { session_id: made } = await cairn.session.create({ topic: 'the end', parent: session })
  const { last_seq: last } = await cairn.log.list({ session: made, limit: 1 })
  return ({ type, seq }) => type === 'event' && seq === last
}

/** What a follower was told up to an end. */
async function toldUntil(followed: Followed, isEnd: (message: Heard) => boolean): Promise<readonly Heard[]> {
  await followed.until(isEnd)
  followed.close()
  return followed.heard
}

/** One who polls, and keeps rows by the rules of the log. */
async function polled(served: Served, session: string, since: number): Promise<string[]> {
  const get = async (path: string) => (await served.ask('GET', `/sessions/${session}${path}`)).body
  const rows = new EvolvingRows(statePart, (await get(`/rows?part=state&at=${since}`)) as never)
  for (let isMore = true; isMore; ) {
    const page = (await get(`/events?since=${rows.seq}&wait=0.01&limit=50`)) as unknown as { events: never[] }
    for (const event of page.events) rows.apply({ root_session_id: session, ...(event as object) } as never)
    isMore = page.events.length > 0
  }
  const wrong = rows.differences((await get('/rows?part=state')) as never)
  // Which versions go along with an array depends on what the next append to it looks at.
  return wrong.filter((row) => !row.startsWith('state_versions '))
}

/** All that was told in all runs: a history in which nothing happens proves nothing. */
class Coverage {
  readonly types = new Set<string>()

  note(heard: readonly Heard[]): void {
    for (const message of heard) {
      const event = message.type === 'event' ? (message.event as { type: string }) : undefined
      this.types.add(event?.type ?? message.type)
      if (message.value_omitted === true) this.types.add('value_omitted')
      if ((message.omitted as Json[] | undefined)?.length) this.types.add('omitted')
      if (message.patch_omitted === true) this.types.add('patch_omitted')
    }
  }
}

for (const kind of STORES) {
  describe(`the state by the feed on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const numRuns = isLong ? 200 : kind.name === 'SQLite' ? 12 : 4

    async function begin() {
      const { cairn, pass } = await ownLog(store())
      const opened = { log: cairn.theLog, caller: { principal: 'owner', actor: 'test', scope: 'owner' } as const }
      return { cairn, pass, served: await serveStore(store(), { opened }) }
    }

    it('S0-125 C28 who applies its messages has the state, whatever happened', { timeout: 600_000 }, async () => {
      const { cairn, pass, served } = await begin()
      const coverage = new Coverage()

      /** Follows a root of which everything has happened, from its beginning and from some point on. */
      async function check(session: string, from: number, live: Followed[]): Promise<void> {
        const reading = { cairn, session }
        const now = await cairn.state.all({ session }).catch(() => ({ state: {}, keys: {}, seq: 0 }))
        const isEnd = await marked(reading)
        const { last_seq: last } = await cairn.log.list({ session, limit: 1 })
        const since = Math.min(last - 1, Math.max(1, Math.floor((last * from) / 99)))
        const [keys, state] = [versionsIn(now.keys), now.state]
        const start = await documentAt(reading, since)
        const open = (after: number, types: string) => `?root=${session}&since=${after}&${types}`
        for (const after of [0, since]) {
          const [socket, listener, patched] = await Promise.all([
            follow(served.port, open(after, ofKeys)),
            listen(served.port, open(after, ofKeys)),
            follow(served.port, open(after, ofPatches)),
          ])
          const [said, same, patches] = await Promise.all(
            [socket, listener, patched].map((each) => toldUntil(each, isEnd)),
          )
          const begun = after === 0 ? { state: {}, keys: {} } : start
          expect(await byKeys(reading, said ?? [], begun.keys)).toEqual(keys)
          expect(same).toEqual(said)
          expect(await byPatches(reading, patches ?? [], begun.state)).toEqual(state)
          coverage.note([...(said ?? []), ...(patches ?? [])])
          if (after > 0) continue
          for (const each of live) expect(await toldUntil(each, isEnd)).toEqual(await whole(session, isEnd))
        }
        expect(await polled(served, session, since)).toEqual([])
      }

      async function whole(session: string, isEnd: (message: Heard) => boolean) {
        return toldUntil(await follow(served.port, `?root=${session}&since=1`), isEnd)
      }

      async function run(all: readonly Happening[], from: number, isWatched: boolean): Promise<void> {
        const root = await store().createRoot()
        const history = new History(cairn, root, pass)
        // One who wants nothing but events keeps the live end of the log open, and is told nothing else.
        const plain = await follow(served.port, `?root=${root}&type=event`)
        const live = isWatched
          ? await Promise.all([follow(served.port, `?root=${root}`), listen(served.port, `?root=${root}`)])
          : []
        for (const happening of all) await history.happen(happening)
        for (const session of history.roots) await check(session, from, session === root ? live : [])
        expect(plain.heard.every(({ type }) => type === 'event')).toBe(true)
        plain.close()
      }

      await fc.assert(fc.asyncProperty(happenings, fc.nat(99), fc.boolean(), run), {
        numRuns,
        seed: seedOf(1207),
        endOnFailure: !isLong,
      })
      const told = [
        'state_key_updated',
        'state_key_deleted',
        'state_updated',
        'state_reset',
        'value_omitted',
        'omitted',
      ]
      const events = ['init', 'full_replace', 'set', 'lapsed', 'delete', 'append', 'patch', 'increment', 'counter_add']
      const crdts = ['set_add', 'register_set', 'max']
      // A few runs do not meet everything.
      const expected = numRuns < 10 ? told.slice(0, 3) : [...told, ...events, ...crdts, 'patch_omitted']
      expect([...coverage.types]).toEqual(expect.arrayContaining(expected))
    })
  })
}
