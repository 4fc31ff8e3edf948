// Faults in bytes by their hash.
import type { Mutant } from './mutant.ts'

export const ofBlobs: readonly Mutant[] = [
  {
    name: 'blobs: a piece runs over the end of its chunk',
    file: 'src/log/blobs/content.ts',
    find: 'at + chunkBytes - filled',
    replace: 'at + chunkBytes',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'blobs: a chunk is overwritten by the next',
    file: 'src/log/blobs/content.ts',
    find: `      chunk = new Uint8Array(chunkBytes)
`,
    replace: '',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'blobs: bytes are taken under the name of others',
    file: 'src/log/blobs/upload.ts',
    find: `    if (named !== undefined && named !== hash) return otherHash(hash)
`,
    replace: '',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'blobs: of two who put the same the later wins',
    file: 'src/log/blobs/upload.ts',
    find: `  if (before !== undefined) return { changes: [], out: { row: before, isNew: false } }
`,
    replace: '',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'blobs: put in the name of a session that has ended',
    file: 'src/log/blobs/upload.ts',
    find: `  if (refusal) return { changes: [], out: refusal }
`,
    replace: '',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'blobs: what was put twice stays twice',
    file: 'src/log/blobs/blobs.ts',
    find: `      if (!isNew) await this.#discard(upload)
`,
    replace: '',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'blobs: a stream may be of any size',
    file: 'src/log/blobs/blobs.ts',
    find: 'throwIf(bytes > this.bytesMax ?',
    replace: 'throwIf(bytes < 0 ?',
    tests: ['test/blobs/blobs.test.ts'],
  },
  {
    name: 'blobs: what has just been begun is taken out',
    file: 'src/log/blobs/blobs.ts',
    find: 'this.#clock.now() - unnamedKeptMs',
    replace: 'this.#clock.now() + 1',
    tests: ['test/blobs/blobs.test.ts'],
  },
]
