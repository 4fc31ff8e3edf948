import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { otherHash } from '../../domain/blobs/blob.ts'
import { type BlobRow, blobChunks, blobs, type ChunkRow } from '../../domain/blobs/tables.ts'
import type { Fence } from '../../domain/leases/fence.ts'
import { checkHeld } from '../../domain/leases/lease.ts'
import { leases } from '../../domain/leases/tables.ts'
import type { LeaseTime } from '../../domain/log/lease-time.ts'
import { type Asking, askRow } from '../../domain/log/questions.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import type { RootRow } from '../../domain/log/tables.ts'
import { checkOpen, sessionRemoved } from '../../domain/sessions/session.ts'
import { type SessionRow, sessions } from '../../domain/sessions/tables.ts'
import { failpoint, isPlanted } from '../../failpoint.ts'
import type { Place } from '../../operations/operation.ts'
import type { Changes, Starts, Work } from '../../store/engine.ts'
import { checkRoom, diskBytesOf } from '../disk-space.ts'
import { touched } from '../upkeep/touched.ts'
import { asLoads } from '../write/as-loads.ts'

/** An upload may last so long: well below the age at which gc takes it for one that was broken off. */
const uploadMsMax = 12 * 3_600_000

/** Whose bytes they are, and the lease that came with the token. */
export interface Putter extends Place {
  readonly fence: Fence | undefined
}

/** The row of a blob that is there now, or why there is none. */
export type Finished = { readonly row: BlobRow; readonly isNew: boolean } | Refusal

/** Bytes on their way into a store. They are written as they come, under an id that nobody knows until all of them are there. */
export class Upload {
  readonly content: string
  readonly #clock: Clock
  readonly #started: number
  readonly #diskLimit: number
  readonly #hash = createHash('sha256')
  #chunks = 0
  #bytes = 0

  constructor(clock: Clock, diskLimit: number) {
    this.#diskLimit = diskLimit
    this.content = clock.id()
    this.#clock = clock
    this.#started = clock.now()
  }

  /** Writes the next chunk. It holds no root: nobody else waits, however slowly the bytes come. */
  adding(chunk: Uint8Array): Starts<void> {
    const changes = [this.#next(chunk)]
    return () => {
      failpoint('chunk')
      return writing(changes)
    }
  }

  /** Writes the last chunk together with the row that names the content; refuses bytes that are not those that were named. */
  finishing(putter: Putter, last: Uint8Array | undefined, named: string | undefined): Starts<Finished> | Refusal {
    const changes = last === undefined ? [] : [this.#next(last)]
    const hash = this.#hash.digest('hex')
    if (named !== undefined && named !== hash) return otherHash(hash)
    const now = this.#clock.now()
    if (now - this.#started > uploadMsMax) return tooSlow()
    const row: BlobRow = { root: putter.root, hash, bytes: this.#bytes, content: this.content, created_at: now }
    return ([head], time) => finish(head, putter, time, row, changes, this.#diskLimit)
  }

  #next(chunk: Uint8Array): Changes {
    const row: ChunkRow = { content: this.content, no: this.#chunks, chunk }
    this.#hash.update(chunk)
    this.#chunks += 1
    this.#bytes += chunk.length
    return { table: blobChunks, rows: [row] }
  }
}

/** Work that has to know nothing. */
// biome-ignore lint/correctness/useYield: as it says.
export function* writing(changes: readonly Changes[]): Work<void> {
  return { changes, out: undefined }
}

function* finish(
  head: RootRow | undefined,
  { root, no, fence }: Putter,
  time: LeaseTime,
  row: BlobRow,
  last: readonly Changes[],
  diskLimit: number,
): Work<Finished> {
  const [ofRoot, acting, known] = yield [
    { table: sessions, key: [root, 0] },
    { table: sessions, key: [root, no] },
    { table: blobs, key: [root, row.hash] },
  ]
  const session = acting?.[0] as SessionRow | undefined
  if (head === undefined || head.hidden === 1 || session === undefined) return { changes: [], out: sessionRemoved() }
  const refusal =
    checkOpen(ofRoot?.[0] as SessionRow | undefined, session) ?? (yield* asLoads(refuseFenced(root, fence, time)))
  if (refusal) return { changes: [], out: refusal }
  const before = known?.[0] as BlobRow | undefined
  // Somebody else has put the same meanwhile, or nobody knew what would come.
  if (before !== undefined) return { changes: [], out: { row: before, isNew: false } }
  const added = diskBytesOf(blobs, row)
  const full = checkRoom(head, added, diskLimit)
  if (full) return { changes: [], out: full }
  return { changes: [...last, { table: blobs, rows: [row] }, ...touched(head, [], added)], out: { row, isNew: true } }
}

/** Whoever puts under a lease must hold it. */
export function* refuseFenced(root: number, fence: Fence | undefined, time: LeaseTime): Asking<Refusal | undefined> {
  if (fence === undefined || isPlanted('skip-fence')) return undefined
  const held = checkHeld(yield* askRow(leases, root, fence.name), fence, time)
  return held instanceof Refusal ? held : undefined
}

function tooSlow(): Refusal {
  const hours = uploadMsMax / 3_600_000
  return refuse(
    'timeout',
    `The bytes took more than ${hours} hours to arrive.`,
    'Upload them again over a faster connection.',
  )
}
