// Processes that die while they put a blob, wherever they are: it can be read whole or not at all, and can be put again.
import { spawn } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { chunkBytes } from '../../src/domain/blobs/blob.ts'
import { programOf } from '../setup/program.ts'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { bytesOf, contentOf, sha256 } from './bytes.ts'
import type { Job } from './putting.ts'

const chunks = 4
const length = chunks * chunkBytes

async function run(job: Job, env: Record<string, string>): Promise<{ said: string; signal: string | null }> {
  const child = spawn(process.execPath, [await programOf('test/blobs/putting.ts'), JSON.stringify(job)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  return new Promise((resolve) => child.once('close', (_, signal) => resolve({ said, signal })))
}

async function unnamed(store: TestStore): Promise<number> {
  const left = 'SELECT count(*) AS chunks FROM blob_chunks WHERE content NOT IN (SELECT content FROM blobs)'
  return Number((await store.sql(left))[0]?.chunks)
}

for (const kind of STORES) {
  describe(`a process that is killed while it puts a blob on ${kind.name}`, () => {
    const store = sharedStore(kind)

    // Each chunk is a commit of its own, and the last one goes with the name of all.
    const places = [
      'chunk:kill@1',
      'chunk:kill@3',
      ...[1, 2, 3, 4].map((hit) => `commit:kill@${hit}`),
      'project:kill@5',
    ]

    it.each(places)('leaves nothing that reads: %s', async (place) => {
      const { cairn, session } = await newRoot(store())
      const seed = places.indexOf(place) + 1
      const hash = sha256(bytesOf(length, seed))
      const before = await unnamed(store())
      const died = await run({ options: store().options, session, length, seed }, { CAIRN_FAILPOINT: place })
      expect(died).toEqual({ said: '', signal: 'SIGKILL' })
      expect(await refused(cairn.blob.get({ hash }))).toMatchObject({ code: 'not_found' })
      expect((await cairn.store.doctor({})).checks.filter(({ ok }) => !ok)).toEqual([])
      // Up to where it came, something may be left; it is too young for gc.
      const left = (await unnamed(store())) - before
      expect(left).toBeLessThan(chunks)
      expect(await cairn.store.gc({})).toMatchObject({ uploads: 0 })
      expect((await unnamed(store())) - before).toBe(left)
      const again = await run({ options: store().options, session, length, seed }, {})
      expect(again).toEqual({ said: 'put', signal: null })
      expect((await contentOf(cairn, hash)).equals(bytesOf(length, seed))).toBe(true)
    })

    it('what was answered is there when it is killed right after', async () => {
      const { cairn, session } = await newRoot(store())
      const program = await programOf('test/blobs/putting.ts')
      const job: Job = { options: store().options, session, length, seed: 99 }
      const child = spawn(process.execPath, [program, JSON.stringify(job)], { stdio: ['ignore', 'pipe', 'inherit'] })
      await new Promise((resolve) => child.stdout.once('data', resolve))
      child.kill('SIGKILL')
      expect((await contentOf(cairn, sha256(bytesOf(length, 99)))).equals(bytesOf(length, 99))).toBe(true)
    })
  })
}
