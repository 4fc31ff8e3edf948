import type { RootRow } from '../log/tables.ts'
import type { BlobRow } from './tables.ts'

/** What the store can be asked about bytes. */
export interface BlobQuestions {
  blobs_after: Pick<BlobRow, 'content' | 'hash' | 'bytes'> & Pick<RootRow, 'id'>
  chunk_count: { count: number }
  contents_unnamed: Pick<BlobRow, 'content'>
  uploads_broken: Pick<BlobRow, 'content'>
}

declare module '../log/questions.ts' {
  interface Questions extends BlobQuestions {}
}
