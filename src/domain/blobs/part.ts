import type { Part } from '../log/part.ts'
import { blobChunks, blobs } from './tables.ts'

/** Bytes by their hash, for what is too large for an event: plain rows, of which no event tells. */
export const blobsPart: Part = {
  name: 'blobs',
  owns: () => false,
  tables: [blobs, blobChunks],
  evolve: {},
  bodies: 'kept',
  secrets: 'refuse',
}
