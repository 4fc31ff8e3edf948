import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import LongestFirst from './test/setup/order.ts'

/** A test that hangs ends; how long one takes on a busy machine, or how long a long run searches, is no matter. */
const testTimeout = process.env.CAIRN_LONG === undefined ? 180_000 : 60 * 60_000

export default defineConfig({
  plugins: [
    {
      name: 'sql-as-text',
      enforce: 'pre',
      load(id) {
        return id.endsWith('.sql') ? `export default ${JSON.stringify(readFileSync(id, 'utf8'))}` : undefined
      },
    },
  ],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/memory.ts', 'test/setup/postgres.ts'],
    reporters: ['default', './test/suite/summary-reporter.ts'],
    pool: 'forks',
    // One more than the processors that CI has: tests that wait for a process or for a time leave them to others.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Files of one process share what was loaded and bundled: to load it anew takes longer than the tests of most files.
    isolate: false,
    testTimeout,
    hookTimeout: 120_000,
    // What is waited for comes; on a busy machine it takes longer than the second that is the default.
    expect: { poll: { timeout: 60_000 } },
    teardownTimeout: 20_000,
  },
})
