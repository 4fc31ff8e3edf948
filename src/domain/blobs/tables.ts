import { table } from '../log/tables.ts'

/** Bytes that a root may read, by their hash. It is there once all of them are, and never changes. */
export interface BlobRow {
  root: number
  /** SHA-256 of the bytes, in hex digits. */
  hash: string
  bytes: number
  /** Where the bytes are: those that a root shares with its forks are kept once. */
  content: string
  created_at: number
}

export const blobs = table<BlobRow>(
  'blobs',
  ['hash'],
  { root: 'integer', hash: 'text', bytes: 'integer', content: 'text', created_at: 'integer' },
  { view: false, carried: true, counted: ['bytes'] },
)

/** A piece of content, which belongs to no root: it stays while any blob names it. */
export interface ChunkRow {
  /** A UUIDv7: how old it is can be read from it. */
  content: string
  /** From 0, without gaps. */
  no: number
  chunk: Uint8Array
}

export const blobChunks = table<ChunkRow>(
  'blob_chunks',
  ['content', 'no'],
  { content: 'text', no: 'integer', chunk: 'bytes' },
  { ofRoot: false, appendOnly: true, long: ['chunk'] },
)
