// Each kind of upkeep as something that can be begun, die, and be done again: what has to hold after either.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import type { Cairn } from '../../src/open.ts'
import { newChild, rootNumber } from '../setup/roots.ts'
import type { TestStore } from '../setup/stores.ts'
import { allAnswers, allRows, toldRows } from '../upkeep/reading.ts'
import type { Deaths } from './deaths.ts'

/** One root with work to do for the upkeep, which is done as `cairn[noun][verb](input)`. */
export interface Begun {
  readonly input: object
  /** Holds whether it was done, or part of it, or nothing. */
  expectWhole(): Promise<void>
  /** Holds once it was done again. */
  expectDone(): Promise<void>
}

export interface Upkeep {
  readonly name: string
  readonly verb: 'compact' | 'erase' | 'remove' | 'gc' | 'doctor'
  readonly deaths: Deaths
  /** Damage on purpose is no failure of the upkeep that has to repair it. */
  readonly beginsDamaged?: boolean
  begin(store: TestStore, cairn: Cairn, session: string): Promise<Begun>
}

/** Some past of a few keys. */
async function write(cairn: Cairn, session: string): Promise<void> {
  for (let at = 0; at < 4; at++) {
    await cairn.state.set({ session, key: 'k', value: `${at} `.repeat(100), request_id: `${session} ${at}` })
    await cairn.state.append({ session, key: 'list', items: [at] })
  }
  await cairn.state.set({ session, key: 'gone', value: 1 })
  await cairn.state.delete({ session, key: 'gone' })
}

/** The rows of the root with this number. */
function rowsOf(all: Awaited<ReturnType<typeof allRows>>, number: number): string {
  const tables = Object.entries(all).map(([table, rows]) => [
    table,
    rows.filter((row) => Number(row.root) === number).map(({ generation: _, ...row }) => row),
  ])
  return JSON.stringify(tables)
}

const compact: Upkeep = {
  name: 'compact',
  verb: 'compact',
  deaths: { begin: [1, 2], project: [1, 4], commit: [1] },
  async begin(store, cairn, session) {
    await write(cairn, session)
    const before = await cairn.state.all({ session })
    const input = { session, older_than: '0s' }
    const expectWhole = async () => {
      expect(await cairn.state.all({ session })).toEqual(before)
      const { events } = await cairn.log.list({ session, limit: 1000 })
      expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: before.seq }, (_, at) => at + 1))
    }
    return {
      input,
      expectWhole,
      async expectDone() {
        await expectWhole()
        const left = `SELECT seq FROM events WHERE root = $1 AND stream = 'state' AND data IS NOT NULL`
        expect(await store.sql(left, session)).toEqual([])
        expect(await cairn.store.compact(input)).toMatchObject({ events: 0, versions: 0, floor: before.seq })
      },
    }
  },
}

const erase: Upkeep = {
  name: 'erase',
  verb: 'erase',
  deaths: { begin: [2], append: [1], project: [1, 5], commit: [1], answer: [1], announce: [1] },
  async begin(store, cairn, session) {
    const secret = `swordfish of ${session}`
    await write(cairn, session)
    await cairn.state.set({ session, key: 'secret', value: { secret }, request_id: `${session} secret` })
    await cairn.state.merge({ session, key: 'secret', patch: { more: secret } })
    const { state } = await cairn.state.all({ session })
    const { slug: confirm } = await cairn.session.show({ session })
    const others = async () => ({ ...(await cairn.state.all({ session })).state, secret: null })
    const expectWhole = async () => expect(await others()).toEqual({ ...state, secret: null })
    return {
      input: { session, key: 'secret', confirm },
      expectWhole,
      async expectDone() {
        await expectWhole()
        expect((await cairn.state.all({ session })).state).not.toHaveProperty('secret')
        expect(JSON.stringify(await allRows(store))).not.toContain(secret)
      },
    }
  },
}

const remove: Upkeep = {
  name: 'rm',
  verb: 'remove',
  deaths: { begin: [1], project: [1, 8], commit: [1] },
  async begin(store, cairn, session) {
    await write(cairn, session)
    await newChild(cairn, session, 'child')
    await cairn.lease.claim({ session, name: 'l', ttl: '1h' })
    const number = await rootNumber(store, session)
    const nothing = rowsOf(await allRows(store), Number.NaN)
    const before = rowsOf(await allRows(store), number)
    const { slug: confirm } = await cairn.session.show({ session })
    return {
      input: { session, confirm, force: true },
      expectWhole: async () => expect([before, nothing]).toContain(rowsOf(await allRows(store), number)),
      expectDone: async () => expect(JSON.stringify(await allRows(store))).not.toContain(session),
    }
  },
}

const gc: Upkeep = {
  name: 'gc',
  verb: 'gc',
  deaths: { begin: [2], append: [1], project: [1, 5], commit: [1], answer: [1], announce: [1] },
  async begin(store, cairn, session) {
    await write(cairn, session)
    const eightDays = 8 * 24 * 3_600_000
    await store.sql('UPDATE requests SET at = at - $1 WHERE root = $2', eightDays, session)
    const { state } = await cairn.state.all({ session })
    await cairn.state.set({ session, key: 'lapses', value: 1, ttl: '50ms' })
    // Only the whole state is not read meanwhile: that would record what has expired.
    const isThere = () => cairn.state.get({ session, key: 'lapses' }).then(Boolean, () => false)
    while (await isThere()) await sleep(10)
    const expectWhole = async () => expect((await cairn.state.all({ session })).state).toEqual(state)
    return {
      input: {},
      expectWhole,
      async expectDone() {
        await expectWhole()
        expect(await store.sql('SELECT id FROM requests WHERE root = $1', session)).toEqual([])
        const { events } = await cairn.log.list({ session, limit: 1000 })
        expect(events.filter(({ type }) => type === 'lapsed')).toHaveLength(1)
        expect(await cairn.store.gc({})).toEqual({ lapsed: 0, requests: 0, uploads: 0, hidden: 0 })
      },
    }
  },
}

const repair: Upkeep = {
  name: 'doctor --repair',
  verb: 'doctor',
  deaths: { begin: [1], project: [1, 40], commit: [1] },
  beginsDamaged: true,
  async begin(store, cairn, session) {
    await write(cairn, session)
    const reads = await allAnswers(cairn, session)
    const number = await rootNumber(store, session)
    const now = async () => rowsOf({ ...(await toldRows(store)), roots: (await allRows(store)).roots ?? [] }, number)
    const whole = await now()
    await store.sql('DELETE FROM state_keys WHERE root = $1', session)
    await store.sql(`UPDATE state_versions SET body = '7' WHERE root = $1 AND key = 'k'`, session)
    await store.sql(`UPDATE streams SET items = 9 WHERE root = $1 AND stream = 'state'`, session)
    const damaged = await now()
    expect(damaged).not.toBe(whole)
    return {
      input: { repair: true },
      expectWhole: async () => expect([damaged, whole]).toContain(await now()),
      async expectDone() {
        expect(await now()).toBe(whole)
        const other = await store.open()
        expect(await allAnswers(other, session)).toEqual(reads)
      },
    }
  },
}

export const UPKEEPS: readonly Upkeep[] = [compact, erase, remove, gc, repair]

/** Does it, wherever the one before it was stopped; a root that is gone already needs no more. */
export async function doAgain({ verb }: Upkeep, cairn: Cairn, { input }: Begun): Promise<void> {
  const done = (cairn.store[verb] as (input: object) => Promise<{ ok?: boolean }>)(input)
  const answer = await done.catch((error: unknown) => {
    const isGone = error instanceof CairnRefusal && error.code === 'session_not_found'
    if (verb !== 'remove' || !isGone) throw error
    return { ok: true }
  })
  expect(answer.ok ?? true, JSON.stringify(answer)).toBe(true)
}
