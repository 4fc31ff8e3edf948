// A server that runs workflows, for tests that kill it: `server.ts OPTIONS PROGRAM`.
import { serve } from '../../src/serve.ts'

const [options = '{}', program = ''] = process.argv.slice(2)
const most = Number.MAX_SAFE_INTEGER
const limits = { memoryBytes: most, lagMs: most, descriptorsFree: 0, diskFreeBytes: 0 }
const given = JSON.parse(options)
const serving = await serve({
  ...given,
  limits: { ...limits, ...given.limits },
  program: [process.execPath, program],
})
process.stdout.write(`${serving.discovered.url}\n`)
process.once('SIGTERM', () => void serving.stop())
