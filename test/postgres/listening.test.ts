// Whoever begins to listen for notices looks at the store once it does: what was written until then was told to nobody.
import { setImmediate as nextTurn } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { freshDatabase } from '../setup/postgres-server.ts'
import { startWire, type Wire } from './proxy.ts'
import { openAt, rootAt } from './trouble.ts'

/** A lost event is one that never comes. */
const timeout = 20_000

// Listeners also look by themselves now and then: here that time never comes.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

afterEach(() => {
  vi.useRealTimers()
})

/** A reader behind a wire on which LISTEN is held up, and what has to be done while it is. */
async function readerBehindWire() {
  const { url, drop } = await freshDatabase(inject('postgres'))
  onTestFinished(drop)
  const { session } = await rootAt(url)
  const wire = await startWire(url)
  const reader = await openAt(wire.url, { session })
  /** Written, and told to all who listen by then. */
  const write = async (value: number) => {
    const writer = await openAt(url, { session })
    await writer.state.set({ key: 'k', value })
    await writer.close()
  }
  /** The reader has asked for all there is, and waits for more. */
  const atTheEnd = async () => {
    for (let times = 0; times < 20; times++) await reader.log.list({ limit: 1 })
  }
  return { url, wire, reader, write, atTheEnd }
}

const then = 'waits'

function holdUp(wire: Wire): { until(): Promise<void> } {
  wire.trap = { text: 'LISTEN', then }
  const until = async () => {
    while (wire.letGo === undefined) await nextTurn()
  }
  return { until }
}

describe('one who begins to listen', () => {
  it('hears of what was written just before', { timeout }, async () => {
    const { wire, reader, write, atTheEnd } = await readerBehindWire()
    const listening = holdUp(wire)
    const events = reader.follow({ since: 1 })
    const next = events.next()
    await listening.until()
    await atTheEnd()
    await write(1)
    wire.letGo?.()
    expect((await next).value).toMatchObject({ key: 'k', data: { value: 1 } })
    await events.return()
  })

  it('hears of it when it begins anew, after its connection was lost', { timeout }, async () => {
    const { url, wire, reader, write, atTheEnd } = await readerBehindWire()
    const events = reader.follow({ since: 1 })
    const first = events.next()
    await write(1)
    expect((await first).value).toMatchObject({ data: { value: 1 } })
    const next = events.next()
    await atTheEnd()
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    const listeners =
      "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'"
    while ((await admin.query(`SELECT 1 ${listeners}`)).rowCount === 0) await nextTurn()
    const listening = holdUp(wire)
    await admin.query(`SELECT pg_terminate_backend(pid) ${listeners}`)
    await admin.end()
    await listening.until()
    await write(2)
    wire.letGo?.()
    expect((await next).value).toMatchObject({ key: 'k', data: { value: 2 } })
    await events.return()
  })

  it('hears of it while it waits for a key', { timeout }, async () => {
    const { wire, reader, write, atTheEnd } = await readerBehindWire()
    const listening = holdUp(wire)
    const waiting = reader.state.wait({ key: 'k', timeout: '1h' })
    await listening.until()
    await atTheEnd()
    await write(1)
    wire.letGo?.()
    expect(await waiting).toMatchObject({ value: 1 })
  })
})
