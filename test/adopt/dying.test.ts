// Processes that die while they take in a history: what was there is as it was, what came is a beginning of it or all of it, and
// giving it again does the rest.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { runChild } from '../faults/children.ts'
import { type Deaths, eachDeath } from '../faults/deaths.ts'
import { newFolder } from '../faults/stores.ts'
import { newRoot } from '../setup/roots.ts'
import { freshStore, STORES, type TestStore } from '../setup/stores.ts'
import { type LogEvent, wholeLog } from '../upkeep/reading.ts'
import { hashesOf } from './seen.ts'

interface Adopted {
  readonly what: string
  /** So many events at the beginning of the history are there already, and own ones behind them. */
  readonly shared: number
  readonly events: number
  readonly deaths: Deaths
}

const ADOPTED: readonly Adopted[] = [
  {
    what: 'as a new root',
    shared: 0,
    events: 30,
    deaths: {
      begin: [1, 2],
      adopt: [1],
      append: [1],
      project: [5],
      commit: [1],
      index: [1],
      announce: [1],
      answer: [1],
    },
  },
  {
    what: 'as a fork',
    shared: 20,
    events: 60,
    deaths: {
      begin: [1, 2],
      fork: [1],
      adopt: [1],
      append: [1],
      project: [5],
      commit: [1],
      index: [1],
      announce: [1],
      answer: [1],
    },
  },
  {
    // More events than are written at once: it dies between the pages, in the second one and behind it.
    what: 'as a fork, in several pages',
    shared: 20,
    events: 5200,
    deaths: { adopt: [2], append: [2], project: [12], commit: [2], index: [1] },
  },
]

async function writeMuch(cairn: Cairn, session: string, events: number): Promise<void> {
  for (let left = events; left > 0; left -= 400) {
    const operations = Array.from({ length: Math.min(left, 400) }, (_, at) =>
      at % 3 === 0
        ? { op: 'append' as const, key: 'list', items: [at] }
        : { op: 'increment' as const, key: `n${at % 7}` },
    )
    await cairn.state.batch({ session, operations })
  }
}

interface History {
  readonly root: string
  readonly log: readonly LogEvent[]
  readonly state: unknown
}

/** A history that another store has, and the file that a process is given it in. */
async function historyOf(store: TestStore, events: number): Promise<History & { readonly file: string }> {
  const { cairn, session: root } = await newRoot(store)
  await writeMuch(cairn, root, events)
  const log = await wholeLog(cairn, root)
  const file = join(newFolder(), 'history.json')
  writeFileSync(file, JSON.stringify({ root, events: log }))
  const { state } = await cairn.state.all({})
  return { root, log, state, file }
}

/** The beginning of it that is somewhere in a store, below the root itself or below a fork of it. */
async function arrived(cairn: Cairn, { log }: History, own: string | undefined): Promise<string[][]> {
  const { sessions } = await cairn.session.list({ all: true, limit: 100 })
  const all = sessions.map(({ session_id }) => session_id).filter((id) => id !== own)
  const found = await Promise.all(all.map(async (id) => hashesOf(await wholeLog(cairn, id))))
  for (const hashes of found) expect(hashes).toEqual(hashesOf(log).slice(0, hashes.length))
  return found
}

for (const kind of STORES) {
  describe(`a process that dies while it adopts on ${kind.name}`, () => {
    const from = freshStore(kind)

    /** Whether it died there. */
    async function dies(history: History & { file: string }, shared: number, env: Record<string, string>) {
      const store = await kind.makeReady()
      try {
        let cairn = await store.open()
        const [root, events] = [history.root, history.log as never[]]
        const own = shared === 0 ? undefined : root
        if (own) {
          await cairn.log.adopt({ root, events: events.slice(0, shared) })
          await cairn.state.set({ session: own, key: 'own', value: 1 })
        }
        const before = own && [await wholeLog(cairn, own), await cairn.state.all({ session: own })]
        const job = { ...store.options, do: 'adopt', from: history.file } as const
        const { signal, refused, raw, errors } = await runChild(job, { env })
        expect([refused, raw, errors], JSON.stringify(env)).toEqual([[], [], ''])
        cairn = await store.reopen()
        await store.verify()
        expect((await arrived(cairn, history, own)).length).toBeLessThan(2)
        const { root_session_id: session } = await cairn.log.adopt({ root, events })
        // A fork is made together with its first events: none stays that got nothing.
        expect(await arrived(cairn, history, own)).toEqual([hashesOf(history.log)])
        expect((await cairn.state.all({ session })).state).toEqual(history.state)
        expect(own && [await wholeLog(cairn, own), await cairn.state.all({ session: own })]).toEqual(before)
        await store.close()
        await store.verify()
        return signal === 'SIGKILL'
      } finally {
        await store.remove()
      }
    }

    for (const { what, shared, events, deaths } of ADOPTED) {
      it(`leaves a beginning of it, ${what}, and giving it again does the rest`, async () => {
        const history = await historyOf(from(), events)
        await eachDeath(deaths, (point, hit) => dies(history, shared, { CAIRN_FAILPOINT: `${point}:kill@${hit}` }))
      }, 600_000)
    }
  })

  describe(`a process that dies while versions are put in order behind its writes, on ${kind.name}`, () => {
    const store = freshStore(kind)
    const deaths = { begin: [1, 2], append: [1], project: [3], commit: [1], index: [1], answer: [1], announce: [1] }

    /** Whether it died there: in the write that is one too many, or in what follows it. */
    async function dies(env: Record<string, string>): Promise<boolean> {
      const { cairn, session } = await newRoot(store())
      await writeMuch(cairn, session, 1000)
      const list = async () => ((await cairn.state.get({ session, key: 'list' })).value as unknown[]).length
      const before = await list()
      const operations = Array.from({ length: 100 }, (_, at) => ({ op: 'append', key: 'list', items: [at] }))
      const job = { ...store().options, do: 'call', operation: 'state.batch', input: { session, operations } } as const
      const { signal, acked, refused, raw, errors } = await runChild(job, { env })
      expect([refused, raw, errors], JSON.stringify(env)).toEqual([[], [], ''])
      await store().verify()
      const added = (await list()) - before
      expect(acked.includes('8') ? [100] : [0, 100]).toContain(added)
      // Whoever writes next does what was left undone, and every version is found by its key.
      if (added === 0) await cairn.state.batch({ session, operations: operations as never[] })
      await cairn.state.increment({ session, key: 'n1' })
      await store().close()
      const [filled] = await store().sql('SELECT upto FROM indexing WHERE root = $1', session)
      expect(Number(filled?.upto)).toBeGreaterThan(1024)
      await store().verify()
      const reader = await store().open()
      const { versions } = await reader.state.history({ session, key: 'n1', limit: 1000 })
      expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => versions.length - at))
      await reader.close()
      return signal === 'SIGKILL'
    }

    it('leaves all that was answered, and the next to write goes on with it', async () => {
      await eachDeath(deaths, (point, hit) => dies({ CAIRN_FAILPOINT: `${point}:kill@${hit}` }))
    }, 600_000)
  })
}
