// Apart from all other tests: these install programs of hundreds of megabytes.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: '.',
    include: ['first-run', 'turns', 'at-once', 'killed', 'another-session', 'taken-back', 'overnight'].map(
      (name) => `test/agents/${name}.ts`,
    ),
    // Else two would install one program at once.
    fileParallelism: false,
    reporters: ['default', './test/suite/summary-reporter.ts'],
    pool: 'forks',
    testTimeout: 180_000,
    hookTimeout: 900_000,
  },
})
