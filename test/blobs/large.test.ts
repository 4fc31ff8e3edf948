// The largest blob there may be. Nobody ever holds it: neither the memory of a process nor the patience of others.
import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { chunkBytes } from '../../src/domain/blobs/blob.ts'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { owner, serveStore } from '../http/served.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { bytesOf } from './bytes.ts'

const mebibyte = 1024 * 1024
const largest = defaultLimits.blobBytes

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What is alive of it. Buffers that were collected are counted until they are given back, in a later turn. */
async function memory(): Promise<number> {
  for (let time = 0; time < 2; time++) {
    collectGarbage()
    await nextTurn()
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The largest blob, piece by piece; `seen` is called after each of so many. */
async function* pieces(seen: (piece: number) => void | Promise<void>): AsyncGenerator<Uint8Array, void> {
  for (let piece = 0; piece < largest / mebibyte; piece++) {
    yield bytesOf(mebibyte, piece)
    await seen(piece)
  }
}

async function hashOf(
  content: AsyncIterable<Uint8Array>,
  seen: () => void | Promise<void> = () => undefined,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    await seen()
  }
  return hash.digest('hex')
}

const aside = () => undefined

function asked(port: number, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpRequest({ port, path, headers: owner }, resolve).on('error', reject).end()
  })
}

for (const kind of STORES) {
  describe(`a blob of ${largest / mebibyte} MiB on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('is put and read in a fraction of its size of memory, while others write below the same root', async () => {
      const { cairn, session } = await newRoot(store())
      const other = await store().open({ session })
      const hash = await hashOf(pieces(aside))
      const before = await memory()
      // Memory that is free is given back at its own time: what is held shows in every sample of the second half, by then 32 MiB.
      const putting: number[] = []
      const noted = async (piece: number) => {
        if (piece % 8 !== 7) return
        if (piece >= largest / mebibyte / 2) putting.push((await memory()) - before)
        await other.state.increment({ key: 'n' })
      }
      expect(await cairn.blob.put({ content: pieces(noted), hash })).toEqual({ hash, bytes: largest })
      const { content, bytes } = await cairn.blob.get({ hash })
      const reading: number[] = []
      let read = 0
      const look = async () => {
        read += 1
        if (read % 16 === 0 && read >= largest / chunkBytes / 2) reading.push((await memory()) - before)
      }
      expect([await hashOf(content as unknown as AsyncIterable<Uint8Array>, look), bytes]).toEqual([hash, largest])
      for (const samples of [putting, reading]) {
        expect(samples.length).toBeGreaterThan(3)
        expect(Math.min(...samples)).toBeLessThan(largest / 4)
      }
      expect(await other.state.get({ key: 'n' })).toMatchObject({ value: largest / mebibyte / 8 })

      // A reader who takes its time: what is removed meanwhile cannot come any more, so nobody has read it ahead.
      const served = await serveStore(store())
      for (const end of ['removed', 'revoked']) {
        const response = await asked(served.port, `/sessions/${session}/blobs/${hash}`)
        expect(response).toMatchObject({ statusCode: 200, headers: { 'content-length': String(largest) } })
        // In this time a server that does not wait for its reader would have read all of it, twice.
        for (const _ of [1, 2])
          await hashOf((await cairn.blob.get({ hash })).content as unknown as AsyncIterable<Uint8Array>)
        if (end === 'revoked') served.revoke('owner')
        else await store().sql('UPDATE blob_chunks SET no = -1 WHERE no = $1', largest / chunkBytes - 1)
        let came = 0
        const taking = async () => {
          for await (const piece of response) came += piece.length
        }
        await expect(taking(), end).rejects.toThrow('aborted')
        expect(came, end).toBeLessThan(largest)
        await store().sql('UPDATE blob_chunks SET no = $1 WHERE no = -1', largest / chunkBytes - 1)
      }
    })
  })
}
