// Apart from all other tests: these install programs of hundreds of megabytes.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: '.',
    include: ['test/agents/turns.ts', 'test/agents/first-run.ts'],
    reporters: ['default', './test/setup/summary-reporter.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 900_000,
  },
})
