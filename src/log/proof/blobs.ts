import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { aboutBlobs, type BlobListed } from '../../domain/blobs/questions.ts'
import { blobChunks } from '../../domain/blobs/tables.ts'
import type { Problem } from '../../domain/log/part.ts'
import { ask, askRow } from '../../domain/log/questions.ts'
import type { Engine } from '../../store/engine.ts'

/** Blobs listed at once. */
const pageBlobs = 500

/**
 * Every blob has all its bytes, and they are those of its name. They are read chunk by chunk, so that neither memory nor whoever else
 * uses the store has to hold all of them.
 */
export async function verifyBlobs(engine: Engine): Promise<{ problems: Problem[]; detail: string }> {
  const problems: Problem[] = []
  let count = 0
  let last: Pick<BlobListed, 'content' | 'hash'> = { content: '', hash: '' }
  for (let more = true; more; ) {
    const page = await engine.read(ask(aboutBlobs.blobs_after, last.content, last.hash, pageBlobs), false)
    more = page.length === pageBlobs
    last = page.at(-1) ?? last
    count += page.length
    for (const blob of page) {
      const what = await faultOf(engine, blob)
      if (what && (await isStillThere(engine, blob))) problems.push({ root: blob.id, where: `blob ${blob.hash}`, what })
    }
  }
  for (const { content } of await engine.read(ask(aboutBlobs.uploads_broken), false))
    problems.push({ root: 'no root', where: `content ${content}`, what: 'has chunks that no upload left like this' })
  return { problems, detail: `${count} ${count === 1 ? 'blob' : 'blobs'}, each with the bytes of its hash` }
}

async function faultOf(engine: Engine, { content, hash, bytes }: BlobListed): Promise<string | undefined> {
  const found = createHash('sha256')
  let no = 0
  for (let left = bytes; left > 0; no++) {
    const row = await engine.read(askRow(blobChunks, content, no), false)
    if (row === undefined) return `has no chunk ${no}`
    if (row.chunk.length === 0) return `has an empty chunk ${no}`
    found.update(row.chunk)
    left -= row.chunk.length
    await setImmediate()
  }
  if (found.digest('hex') !== hash) return 'has bytes that do not match its hash'
  const [chunks] = await engine.read(ask(aboutBlobs.chunk_count, content), false)
  return chunks?.count === no ? undefined : 'has more chunks than bytes'
}

/** It may have been removed while it was looked at. */
async function isStillThere(engine: Engine, { content, hash }: BlobListed): Promise<boolean> {
  const now = await engine.read(ask(aboutBlobs.blobs_after, content, '', pageBlobs), false)
  return now.some((blob) => blob.content === content && blob.hash === hash)
}
