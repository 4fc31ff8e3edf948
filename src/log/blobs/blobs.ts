import { createHash, hash as hashOf } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import {
  type BlobShown,
  blobNotFound,
  blobTooLarge,
  checkHash,
  chunkBytes,
  otherHash,
} from '../../domain/blobs/blob.ts'
import type { Content } from '../../domain/blobs/pieces.ts'
import { aboutBlobs } from '../../domain/blobs/questions.ts'
import { type BlobRow, blobChunks, blobs } from '../../domain/blobs/tables.ts'
import type { Limits } from '../../domain/log/limits.ts'
import { type Asking, ask, askRow, askRows } from '../../domain/log/questions.ts'
import { CairnRefusal, Refusal, refuse } from '../../domain/log/refusal.ts'
import { type RootRow, roots } from '../../domain/log/tables.ts'
import { sessionRemoved } from '../../domain/sessions/session.ts'
import type { Place } from '../../operations/operation.ts'
import { type Engine, Lost, type Starts } from '../../store/engine.ts'
import { agentIn, readsOnly } from '../access/authority.ts'
import type { Caller } from '../access/caller.ts'
import { asThrown, throwRefusal } from '../thrown.ts'
import type { WriteGuard } from '../write/write-guard.ts'
import { Arriving } from './arriving.ts'
import { chunksOf } from './content.ts'
import { type Putter, refuseFenced, Upload, writing } from './upload.ts'

/** How long content that no blob names is left alone: somebody may still be sending it. */
const unnamedKeptMs = 24 * 3_600_000

/** Losing a race more often is somebody else's traffic. */
const lossesMax = 3

export interface BlobToPut {
  readonly session?: string | undefined
  readonly content: Content
  /** What the bytes are said to be; they are refused when they are not. */
  readonly hash?: string | undefined
  /** How many are said to come: too many are refused before any was taken. */
  readonly bytes?: number | undefined
}

export interface BlobPut extends BlobShown {
  /** It was not there before. */
  readonly isNew: boolean
}

export interface BlobFound extends BlobShown {
  /**
   * The bytes, or those from a place up to and without another; each chunk is read when it is asked for, and none before or behind
   * the place. Throws where they were removed meanwhile.
   */
  chunks(from?: number, to?: number): AsyncGenerator<Uint8Array, void>
}

type PlaceOf = (session: string | undefined, caller: Caller) => Place | Promise<Place>

/** Bytes by their hash below a root. Streams fit no operation: library and HTTP both put and get them here. */
export class Blobs {
  readonly #engine: Engine
  readonly #clock: Clock
  readonly #limits: Limits
  readonly #writes: WriteGuard
  readonly #placeOf: PlaceOf
  readonly #running = new Set<Promise<unknown>>()
  readonly #arriving: Arriving
  #closed = false

  constructor(engine: Engine, clock: Clock, limits: Limits, writes: WriteGuard, placeOf: PlaceOf) {
    this.#engine = engine
    this.#clock = clock
    this.#limits = limits
    this.#writes = writes
    this.#placeOf = placeOf
    this.#arriving = new Arriving(limits.rootDiskBytes)
  }

  get bytesMax(): number {
    return this.#limits.blobBytes
  }

  /** Answers when all of it is on disk and has the hash it was named by; otherwise nothing of it can ever be read. */
  async put(blob: BlobToPut, caller: Caller): Promise<BlobPut> {
    this.#refuseClosed()
    this.#writes.check()
    // One who sends piece by piece may take for ever, and is not waited for.
    return blob.content instanceof Uint8Array ? this.#tracked(this.#put(blob, caller)) : this.#put(blob, caller)
  }

  async get(session: string | undefined, hash: string, caller: Caller): Promise<BlobFound> {
    this.#refuseClosed()
    throwIf(checkHash(hash))
    const { root } = await this.#placeOf(session, caller)
    this.#refuseClosed()
    const row = await this.#row(root, hash)
    if (row === undefined) throw new CairnRefusal(blobNotFound())
    return { hash, bytes: row.bytes, chunks: (from = 0, to = row.bytes) => this.#chunks(row, from, to) }
  }

  /** Takes out what was begun long ago and never came to its end; says how much of it there was. */
  async collect(): Promise<number> {
    // An id begins with its time, so a time alone is before all ids of that time.
    const before = (this.#clock.now() - unnamedKeptMs).toString(16).padStart(12, '0')
    const unnamed = await this.#engine.read(ask(aboutBlobs.contents_unnamed, before), false)
    await this.drop(unnamed.map(({ content }) => content))
    return unnamed.length
  }

  /** The contents that the blobs of a root name. */
  async contentsOf(root: number): Promise<string[]> {
    return (await this.#read(askRows(blobs, root))).map(({ content }) => content)
  }

  /** Takes out such of these contents as no blob names any more, each by itself: nobody has to wait for all of them. */
  async drop(contents: readonly string[]): Promise<void> {
    for (const content of contents) {
      await this.#engine.write([], () => writing([{ deed: 'drop_content', each: [[content]] }]))
      await setImmediate()
    }
  }

  /** Nothing more is begun; waits for what has been. */
  async close(): Promise<void> {
    this.#closed = true
    await Promise.allSettled(this.#running)
  }

  async #put({ session, content, hash, bytes = 0 }: BlobToPut, caller: Caller): Promise<BlobPut> {
    if (caller.scope === 'reader') throw new CairnRefusal(readsOnly('blob.put'))
    throwIf(hash === undefined ? undefined : checkHash(hash))
    const size = content instanceof Uint8Array ? content.length : bytes
    throwIf(size > this.bytesMax ? blobTooLarge(this.bytesMax) : undefined)
    const place = await this.#placeOf(session, caller)
    if (caller.fence) throwIf(await this.#read(refuseFenced(place.root, caller.fence, await this.#engine.leaseTime())))
    this.#refuseClosedTo(content)
    const named = content instanceof Uint8Array ? sha256(content) : hash
    throwIf(named !== undefined && hash !== undefined && named !== hash ? otherHash(named) : undefined)
    const known = named === undefined ? undefined : await this.#row(place.root, named)
    if (known !== undefined) return this.#compare(known, content)
    const no = agentIn(caller.scope)?.no ?? place.no
    return this.#upload({ ...place, no, fence: caller.fence }, content, named, size)
  }

  /** How many bytes are `expected` is said by whoever sends them, so those that come are counted all the same. */
  async #upload(putter: Putter, content: Content, named: string | undefined, expected: number): Promise<BlobPut> {
    const upload = new Upload(this.#clock, this.#limits.rootDiskBytes)
    const arriving = this.#arriving.begin(await this.#head(putter.root))
    try {
      arriving.add(expected)
      let last: Uint8Array | undefined
      let bytes = 0
      for await (const chunk of this.#counted(content)) {
        bytes += chunk.length
        if (bytes > expected) arriving.add(chunk.length)
        if (last !== undefined) await this.#write([], upload.adding(last))
        last = chunk
        await setImmediate()
      }
      this.#refuseClosedTo(content)
      const finished = await this.#write([putter.root], asked(upload.finishing(putter, last, named)))
      const { row, isNew } = asked(finished)
      if (!isNew) await this.#discard(upload)
      return { hash: row.hash, bytes: row.bytes, isNew }
    } catch (error) {
      await this.#discard(upload)
      throw error
    } finally {
      arriving.end()
    }
  }

  /** What cannot be taken out now is found by gc. */
  async #discard({ content }: Upload): Promise<void> {
    if (!this.#closed) await this.#tracked(this.drop([content])).catch(() => undefined)
  }

  /** It is there already: nothing has to be written to know whether these are the same bytes. */
  async #compare({ hash, bytes }: Readonly<BlobRow>, content: Content): Promise<BlobPut> {
    const found = createHash('sha256')
    for await (const chunk of this.#counted(content)) found.update(chunk)
    const given = found.digest('hex')
    throwIf(given === hash ? undefined : otherHash(given))
    return { hash, bytes, isNew: false }
  }

  async *#counted(content: Content): AsyncGenerator<Uint8Array, void> {
    let bytes = 0
    for await (const chunk of chunksOf(content)) {
      bytes += chunk.length
      throwIf(bytes > this.bytesMax ? blobTooLarge(this.bytesMax) : undefined)
      this.#refuseClosedTo(content)
      yield chunk
    }
  }

  async *#chunks({ content }: Readonly<BlobRow>, from: number, to: number): AsyncGenerator<Uint8Array, void> {
    // All chunks but the last are full, so a place says which chunk it is in.
    for (let no = Math.floor(from / chunkBytes); no * chunkBytes < to; no++) {
      this.#refuseClosed()
      const row = await this.#read(askRow(blobChunks, content, no))
      if (row === undefined) throw new CairnRefusal(blobNotFound())
      const before = no * chunkBytes
      yield row.chunk.subarray(Math.max(0, from - before), to - before)
      // Others have their turn, however fast this reader is.
      await setImmediate()
    }
  }

  async #head(root: number): Promise<Readonly<RootRow>> {
    const head = await this.#read(askRow(roots, root))
    if (head === undefined) throw new CairnRefusal(sessionRemoved())
    return head
  }

  #row(root: number, hash: string): Promise<Readonly<BlobRow> | undefined> {
    return this.#read(askRow(blobs, root, hash))
  }

  async #read<Out>(reading: Asking<Out>): Promise<Out> {
    return this.#tracked(this.#engine.read(reading, false)).catch(throwRefusal)
  }

  /** One who was in the way of another has written nothing, and tries again. */
  async #write<Out>(roots: readonly number[], work: Starts<Out>): Promise<Out> {
    for (let losses = 0; ; losses++) {
      try {
        return await this.#tracked(Promise.resolve(this.#engine.write(roots, work)))
      } catch (error) {
        if (!(error instanceof Lost)) throw asThrown(error)
        if (losses === lossesMax)
          throw new CairnRefusal(refuse('busy', 'Too many conflicts with other writers.', 'Try again.'))
      }
    }
  }

  /** The store is not closed while this runs. */
  async #tracked<Out>(running: Promise<Out>): Promise<Out> {
    this.#running.add(running)
    return running.finally(() => this.#running.delete(running))
  }

  #refuseClosed(): void {
    if (this.#closed) throw new CairnRefusal(refuse('unavailable', 'This store was closed.', 'Open it again.'))
  }

  /** Bytes that were there as a whole are waited for. */
  #refuseClosedTo(content: Content): void {
    if (!(content instanceof Uint8Array)) this.#refuseClosed()
  }
}

function sha256(bytes: Uint8Array): string {
  return hashOf('sha256', bytes, 'hex')
}

/** What was asked for, or the refusal thrown. */
function asked<Out>(answer: Out | Refusal): Out {
  if (answer instanceof Refusal) throw new CairnRefusal(answer)
  return answer
}

function throwIf(refusal: Refusal | undefined): void {
  if (refusal) throw new CairnRefusal(refusal)
}
