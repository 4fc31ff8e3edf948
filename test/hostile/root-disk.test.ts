// A root has so much of the disk and no more, whatever it is filled with; and there is a way out of a full one.
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Cairn } from '../../src/index.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'

const mib = 1024 * 1024
const limits = { rootDiskBytes: 2 * mib }
const full = { code: 'root_full', details: { limit: 'rootDiskBytes', limit_value: 2 * mib } }

async function diskOf(cairn: Cairn, session?: string): Promise<{ bytes: number; limit: number }> {
  const { root_disk: disk } = await cairn.session.show(session === undefined ? {} : { session })
  if (disk === undefined) throw new Error('nothing is said of the disk')
  return disk
}

/** Does something again and again until it is refused. */
async function fill(doing: (at: number) => Promise<unknown>, most = 300): Promise<void> {
  for (let at = 0; at < most; at++) {
    const refusal = await doing(at).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (refusal === undefined) continue
    expect(refusal).toMatchObject({ ...full, hint: expect.stringContaining('store.compact') })
    return
  }
  expect.fail(`was never refused in ${most} attempts`)
}

/** What the rows of a root take up, looked at past the program: the texts alone. */
async function textBytes(store: TestStore, session: string): Promise<number> {
  const sums = [
    'SELECT sum(octet_length(data)) AS n FROM events WHERE root = $1',
    'SELECT sum(octet_length(body) + coalesce(octet_length(traits), 0)) AS n FROM state_versions WHERE root = $1',
    'SELECT sum(octet_length(answer)) AS n FROM requests WHERE root = $1',
    'SELECT sum(bytes) AS n FROM blobs WHERE root = $1',
  ]
  let all = 0
  for (const sum of sums) all += Number((await store.sql(sum, session))[0]?.n ?? 0)
  return all
}

const WAYS: [what: string, doing: (cairn: Cairn) => (at: number) => Promise<unknown>][] = [
  ['large values', (cairn) => (at) => cairn.state.set({ key: `k${at % 3}`, value: `${at}`.repeat(20_000) })],
  ['small writes', (cairn) => () => cairn.state.batch({ operations: increments(200) })],
  ['names', (cairn) => (at) => cairn.state.set({ key: `${at}`.padStart(250, 'k'), value: 'ü'.repeat(9000) })],
  ['request ids', (cairn) => (at) => cairn.state.batch({ operations: increments(100), request_id: `request ${at}` })],
  ['blobs', (cairn) => (at) => cairn.blob.put({ content: Buffer.alloc(100_000, at) })],
  ['schemas', (cairn) => (at) => cairn.schema.set({ target: 's', schema: { description: `${at}`.repeat(3000) } })],
]

function increments(count: number) {
  return Array.from({ length: count }, () => ({ op: 'increment' as const, key: 'n', delta: 1 }))
}

for (const kind of STORES) {
  describe(`the disk space of a root on ${kind.name}`, () => {
    const store = sharedStore(kind)

    for (const [what, doing] of WAYS) {
      it(`U53 cannot be exceeded by ${what}`, async () => {
        const { cairn, session } = await newRoot(store(), { limits })
        await fill(doing(cairn))
        const { bytes, limit } = await diskOf(cairn)
        expect(limit).toBe(2 * mib)
        expect(bytes).toBeLessThanOrEqual(limit)
        expect(bytes).toBeGreaterThan(limit / 2)
        expect(await textBytes(store(), session)).toBeLessThanOrEqual(bytes)
        // Other roots have space of their own.
        const other = await store().createRoot()
        await cairn.state.set({ session: other, key: 'k', value: 'v'.repeat(50_000) })
      })
    }

    it('U53 is counted by every process that writes, one after the other and at once', async () => {
      const { cairn, session } = await newRoot(store(), { limits })
      const second = await store().open({ session, limits })
      await fill((at) => {
        const value = 'v'.repeat(10_000)
        return Promise.all([cairn.state.set({ key: `a${at}`, value }), second.state.set({ key: `b${at}`, value })])
      })
      expect(await diskOf(cairn)).toEqual(await diskOf(second))
      expect((await diskOf(cairn)).bytes).toBeLessThanOrEqual(2 * mib)
    })

    it('U53 counts requests that record nothing, of several processes', async () => {
      const { cairn, session } = await newRoot(store(), { limits })
      const second = await store().open({ session, limits })
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      const { bytes } = await diskOf(cairn)
      for (let at = 0; at < 10; at++) {
        await cairn.lease.heartbeat({ name: 'l', token, request_id: `a${at}` })
        await second.lease.heartbeat({ name: 'l', token, request_id: `b${at}` })
        await cairn.state.increment({ key: 'n' })
      }
      expect((await diskOf(cairn)).bytes).toBeGreaterThan(bytes + 20 * 256)
    })

    it('U53 bounds blobs that arrive at once, before any of them is stored', async () => {
      const { cairn } = await newRoot(store(), { limits })
      const puts = Array.from({ length: 6 }, (_, at) => cairn.blob.put({ content: slowly(600_000, at) }))
      const done = await Promise.allSettled(puts)
      const refusals = done.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      expect(refusals.length).toBeGreaterThanOrEqual(3)
      for (const refusal of refusals) expect(refusal).toMatchObject(full)
      const kept = done.length - refusals.length
      const chunks = await store().sql('SELECT sum(octet_length(chunk)) AS n FROM blob_chunks')
      expect(Number(chunks[0]?.n ?? 0) % 100_000).toBe(0)
      expect((await diskOf(cairn)).bytes).toBeGreaterThan(kept * 600_000)
    })

    it('U53 leaves a way out: delete, release, end, heartbeats and repeats work in a full root', async () => {
      const { cairn, session } = await newRoot(store(), { limits })
      const child = await newChild(cairn, session)
      await cairn.state.set({ key: 'first', value: 1, request_id: 'r' })
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      await fill((at) => cairn.state.set({ key: `k${at}`, value: 'v'.repeat(20_000) }))
      await fill(() => cairn.state.increment({ key: 'n' }))
      expect(await cairn.state.set({ key: 'first', value: 1, request_id: 'r' })).toMatchObject({ version: 1 })
      await cairn.lease.heartbeat({ name: 'l', token })
      await cairn.state.delete({ key: 'k0' })
      await cairn.lease.release({ name: 'l', token })
      await cairn.session.end({ session: child })
      expect(await refused(cairn.state.increment({ key: 'n' }))).toMatchObject(full)
      expect(await refused(cairn.state.set({ key: 'k0', value: 'v' }))).toMatchObject(full)
      await cairn.session.end({ session })
      expect((await diskOf(cairn)).bytes).toBeLessThanOrEqual(2 * mib)
    })

    it('U53 is freed by compaction, by erasure and by forgetting requests', async () => {
      const { cairn, session } = await newRoot(store(), { limits })
      await fill((at) => cairn.state.set({ key: 'k', value: `${at}`.repeat(5000), request_id: `r${at}` }))
      const { bytes } = await diskOf(cairn)
      await cairn.store.compact({ older_than: '0s' })
      const compacted = (await diskOf(cairn)).bytes
      expect(compacted).toBeLessThan(bytes / 2)
      await store().sql('UPDATE requests SET at = at - $1 WHERE root = $2', 8 * 24 * 3_600_000, session)
      await cairn.store.gc({})
      const collected = (await diskOf(cairn)).bytes
      expect(collected).toBeLessThan(compacted)
      await cairn.state.set({ key: 'secret', value: 'v'.repeat(50_000), request_id: 'again' })
      const { slug } = await cairn.session.show({})
      const before = (await diskOf(cairn)).bytes
      await cairn.store.erase({ key: 'secret', confirm: slug })
      expect((await diskOf(cairn)).bytes).toBeLessThan(before - 90_000)
      await cairn.state.increment({ key: 'n' })
    })

    it('U53 of a fork is what it writes itself; what erasure makes its own counts from then on', async () => {
      const { cairn, session } = await newRoot(store(), { limits })
      await cairn.blob.put({ content: Buffer.alloc(100_000) })
      for (let at = 0; at < 30; at++) await cairn.state.set({ key: `k${at}`, value: 'v'.repeat(20_000) })
      const origin = await diskOf(cairn)
      const { session_id: fork } = await cairn.session.fork({ session, request_id: 'fork' })
      // The blob can be read in both, and counts in both.
      const begun = await diskOf(cairn, fork)
      expect(begun.bytes).toBeGreaterThan(100_000)
      expect(begun.bytes).toBeLessThan(110_000)
      await cairn.state.set({ session: fork, key: 'own', value: 'v'.repeat(20_000) })
      expect((await diskOf(cairn, fork)).bytes).toBeGreaterThan(begun.bytes + 40_000)
      const { slug } = await cairn.session.show({})
      await cairn.store.erase({ key: 'k1', confirm: slug })
      expect((await diskOf(cairn, fork)).bytes).toBeGreaterThan(begun.bytes + 30 * 40_000)
      expect((await diskOf(cairn)).bytes).toBeLessThan(origin.bytes)
    })

    it('U53 is proved by doctor, which counts it anew', async () => {
      const { cairn, session } = await newRoot(store(), { limits })
      await cairn.state.set({ key: 'k', value: 1 })
      const { bytes } = await diskOf(cairn)
      await store().sql('UPDATE roots SET bytes = bytes + 7, generation = generation + 1 WHERE id = $1', session)
      const found = await cairn.store.doctor({})
      expect(found.checks.filter(({ ok }) => !ok)).toEqual([
        { name: 'disk', ok: false, detail: `roots of ${session} counts ${bytes + 7} bytes, its rows have ${bytes}` },
      ])
      await cairn.store.doctor({ repair: true })
      expect(await diskOf(cairn)).toMatchObject({ bytes })
      expect((await cairn.store.doctor({})).ok).toBe(true)
    })
  })
}

it('U53 a full root is told over HTTP and on the command line, with what to do there', async () => {
  const sandbox = new Sandbox()
  onTestFinished(() => sandbox.remove())
  sandbox.write('large.json', JSON.stringify('v'.repeat(50_000)))
  const env = { CAIRN_LIMIT_ROOT_DISK_BYTES: '65536' }
  expect((await sandbox.run(['session', 'create', 'full'], { env })).exit).toBe(0)
  const { exit, err } = await sandbox.run(['state', 'set', 'k', '@../large.json'], { env })
  expect(exit).toBe(4)
  expect(err).toMatch(/full/)
  expect(err).toMatch(/cairn compact/)
  expect(err).toMatch(/cairn gc/)
  const shown = await sandbox.run(['show'], { env })
  expect(shown.out).toMatch(/disk +\d+ of 65536 bytes/)
  const server = await startServer(sandbox, [], env)
  const [{ session_id: session }] = (await server.call('session.list', {})).sessions
  const answer = await server.send('PUT', `/sessions/${session}/state/keys/k`, { value: 'v'.repeat(50_000) })
  expect(answer.status).toBe(422)
  expect(await answer.json()).toMatchObject({ error: 'root_full', limit: 'rootDiskBytes', limit_value: 65_536 })
})

async function* slowly(length: number, seed: number): AsyncGenerator<Uint8Array, void> {
  for (let sent = 0; sent < length; sent += 100_000) {
    yield Buffer.alloc(100_000, seed)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}
