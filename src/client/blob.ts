import type { BlobShown } from '../domain/blobs/blob.ts'

export interface PutBlobInput {
  readonly session?: string | undefined
  /** The bytes, or what gives them piece by piece. Only a Uint8Array can be sent again where an answer was lost. */
  readonly content: Uint8Array | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** The SHA-256 they must have, where it is known. */
  readonly hash?: string | undefined
}

export interface GetBlobInput {
  readonly session?: string | undefined
  readonly hash: string
}

/** A blob whose bytes come as they are read; whoever does not want them all cancels them. */
export interface BlobRead extends BlobShown {
  readonly content: ReadableStream<Uint8Array>
}

/** Bytes by their hash below a root, in a stream either way: beside the operations, which are JSON. */
export interface BlobMethods {
  /** To put what is there already changes nothing. */
  put(input: PutBlobInput): Promise<BlobShown>
  get(input: GetBlobInput): Promise<BlobRead>
}

/** Pieces as a stream that asks for each when its reader does, and for none ahead. */
export function streamOf(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}
