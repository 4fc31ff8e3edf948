// Servers in the process of the tests.
import { type ServeOptions, type Serving, serve } from '../../src/serve.ts'

/**
 * As `serve`, save that it keeps nobody out for what the process is short of: its memory, its descriptors and its lateness are those of
 * all tests that run in it. Servers that are to run short are processes of their own.
 */
export function serveHere(options: ServeOptions): Promise<Serving> {
  const most = Number.MAX_SAFE_INTEGER
  const limits = { memoryBytes: most, lagMs: most, descriptorsFree: 0, diskFreeBytes: 0, ...options.limits }
  return serve({ ...options, limits })
}
