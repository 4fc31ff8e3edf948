// Whatever happened below a root, another store that takes in its log has it as it was, beside what it has itself.
import { afterEach, describe, expect, it } from 'vitest'
import { anyStep } from '../model/commands.ts'
import { Histogram } from '../model/histogram.ts'
import { type Extent, Runner } from '../model/run.ts'
import { NaiveState } from '../setup/naive-state.ts'
import { type Draw, drawing, randomStep } from '../setup/random-steps.ts'
import { refused } from '../setup/roots.ts'
import { STORES, type StoreKind, type TestStore } from '../setup/stores.ts'
import { outcomeOf } from '../upkeep/reading.ts'
import { contentOf, type Events, exported, floorOf, hashesOf, openLater, type Place, rootsIn, wholeOf } from './seen.ts'

const isLong = process.env.CAIRN_LONG !== undefined
const minutes = 60_000
/** An ordinary run has fewer on Postgres, where each takes ten times as long. */
const extentOn = (store: string, runs: number) =>
  isLong ? { runs: 1000, commands: 60 } : { runs: store === 'SQLite' ? runs : 6, commands: 25 }

/** Each run verifies the whole store, so after so many runs a new one is taken. */
const runsOfStoreMax = { SQLite: 6, Postgres: 25 }

/** Where histories are taken in, and which of those that are there have been. */
class Elsewhere {
  readonly #kind: StoreKind
  readonly #known = new Set<string>()
  #place: Place | undefined
  #runs = 0
  /** How often something came about, so that a test can say that it did. */
  readonly counts = { taken: 0, cut: 0, refused: 0, parted: 0 }

  constructor(kind: StoreKind) {
    this.#kind = kind
  }

  /** Does this with each root that a run has made, and verifies what has become of both stores. */
  async take(store: TestStore, each: (from: Place, to: Place, root: string) => Promise<void>): Promise<void> {
    const from = await openLater(store)
    this.#place ??= await openLater(await this.#kind.makeReady())
    for (const root of await rootsIn(from)) {
      if (!this.#known.has(root)) await each(from, this.#place, root)
      this.#known.add(root)
    }
    for (const place of [from, this.#place]) {
      for (const root of await rootsIn(place)) this.#known.add(root)
      expect(await place.log.verify()).toEqual([])
    }
    await from.log.close()
    this.#runs += 1
    if (this.#runs % runsOfStoreMax[this.#kind.name] === 0) await this.remove()
  }

  async remove(): Promise<void> {
    await this.#place?.log.close()
    await this.#place?.store.remove()
    this.#place = undefined
  }
}

/** Some of the places of a history that can be read, and its last one. */
async function pointsIn(place: Place, root: string, last: number, draw: Draw): Promise<number[]> {
  const floor = await floorOf(place, root)
  return [...Array.from({ length: 4 }, () => floor + draw(last - floor + 1)), last]
}

/** Pieces from the first event on, of which some begin before the one before has ended. */
function piecesOf(events: Events, draw: Draw): Events[] {
  const cuts = Array.from({ length: draw(4) }, () => 1 + draw(events.length))
  const ends = [...new Set([...cuts, events.length])].sort((a, b) => a - b)
  return ends.map((end, at) => events.slice(at === 0 ? 0 : draw((ends[at - 1] ?? 0) + 1), end))
}

/** Something of one's own below a root; some of it is refused. */
async function writeOwn({ cairn }: Place, session: string, draw: Draw): Promise<void> {
  for (let left = 1 + draw(12); left > 0; left--) {
    const operations = Array.from({ length: 1 + draw(3) }, () => randomStep(draw, new NaiveState()))
    await outcomeOf(cairn.state.batch({ session, operations }))
    if (draw(6) === 0) await outcomeOf(cairn.session.create({ parent: session, topic: 'own', name: `own ${left}` }))
    if (draw(9) === 0) await outcomeOf(cairn.state.set({ session, key: 'goes', value: 1, ttl: '1h' }))
  }
}

const isWhole = (events: Events) => events.every(({ data }) => data !== null)

describe.each(STORES)('random histories that are adopted on $name', (kind) => {
  let elsewhere: Elsewhere | undefined
  afterEach(async () => {
    await elsewhere?.remove()
    elsewhere = undefined
  })

  async function taking(
    extent: Extent,
    each: (to: Elsewhere, from: Place, place: Place, root: string) => Promise<void>,
  ) {
    const other = new Elsewhere(kind)
    elsewhere = other
    const after = (store: TestStore) => other.take(store, (from, to, root) => each(other, from, to, root))
    await Runner.run(kind, anyStep, { ...extent, after }, new Histogram())
    return other.counts
  }

  it(
    'are the same there: hashes, rows of every part, now and then, ids, and what a follower is told',
    async () => {
      // In fewer runs none takes in what has lost a body.
      const extent = extentOn(kind.name, 40)
      const counts = await taking(extent, async ({ counts }, from, to, root) => {
        const events = await exported(from, root)
        const draw = drawing(events.length)
        if (!isWhole(events)) {
          counts.refused += 1
          expect(await refused(to.cairn.log.adopt({ root, events }))).toMatchObject({ code: 'invalid_input' })
          expect(await rootsIn(to)).not.toContain(root)
          return
        }
        counts.taken += 1
        const pieces = piecesOf(events, draw)
        const isCut = pieces.length > 1 && draw(3) === 0
        for (const [at, piece] of pieces.entries()) {
          await to.cairn.log.adopt({ root, events: piece })
          if (isCut && at === 0) await to.cairn.store.compact({ session: root, older_than: '0s' })
        }
        if (isCut) counts.cut += 1
        // A store that keeps less of the past goes on with a history all the same.
        const points = isCut ? [events.length] : await pointsIn(from, root, events.length, draw)
        const [here, there] = [await wholeOf(from, root, points), await wholeOf(to, root, points)]
        expect(isCut ? { ...there, log: here.log, feed: here.feed } : there).toEqual(here)
        expect(hashesOf(await exported(to, root))).toEqual(hashesOf(events))
        const again = await to.cairn.log.adopt({ root, events })
        expect(again).toEqual({ root_session_id: root, adopted: 0, forked_at: null })
      })
      expect(counts.taken).toBeGreaterThan(extent.runs)
      if (extent.runs < 40) return
      expect(counts.cut).toBeGreaterThan(0)
      expect(counts.refused).toBeGreaterThan(0)
    },
    isLong ? 120 * minutes : 15 * minutes,
  )

  it(
    'that parted are both there afterwards, in both stores, and nothing of either is lost',
    async () => {
      const extent = extentOn(kind.name, 20)
      const counts = await taking(extent, async ({ counts }, from, to, root) => {
        const events = await exported(from, root)
        if (!isWhole(events)) return
        const draw = drawing(events.length)
        const shared = 1 + draw(events.length)
        await to.cairn.log.adopt({ root, events: events.slice(0, shared) })
        await writeOwn(to, root, draw)
        const own = await exported(to, root)
        const points = await pointsIn(from, root, events.length, draw)
        const [here, there] = [await wholeOf(from, root, points), await wholeOf(to, root, points)]
        const taken = await to.cairn.log.adopt({ root, events })
        const given = await from.cairn.log.adopt({ root, events: own })
        const hasParted = own.length > shared && events.length > shared
        expect([taken.forked_at, given.forked_at]).toEqual(hasParted ? [shared, shared] : [null, null])
        if (!hasParted) return
        counts.parted += 1
        // What each had is as it was, ids and all; what came is the same but for what it is called.
        expect(await wholeOf(from, root, points)).toEqual(here)
        expect(await wholeOf(to, root, points)).toEqual(there)
        expect(await contentOf(to, taken.root_session_id, points)).toEqual(await contentOf(from, root, points))
        expect(await contentOf(from, given.root_session_id, points)).toEqual(await contentOf(to, root, points))
        expect(hashesOf(await exported(to, taken.root_session_id))).toEqual(hashesOf(events))
        // Whoever gives it again, from either side, gives nothing new.
        expect(await to.cairn.log.adopt({ root, events })).toEqual({ ...taken, adopted: 0, forked_at: null })
        expect(await from.cairn.log.adopt({ root, events: own })).toEqual({ ...given, adopted: 0, forked_at: null })
      })
      expect(counts.parted).toBeGreaterThan(extent.runs / 2)
    },
    isLong ? 120 * minutes : 15 * minutes,
  )
})
