// A program of its own, and a small one: it waits for as long as there is a server.
import type { StartReport } from '../server/serve.ts'
import { Keeping } from './keeping.ts'
import { ServerLog } from './server-log.ts'

const [home = '', firstMs = '', ...command] = process.argv.slice(2)
const keeping = new Keeping({ home, firstMs: Number(firstMs), command, log: new ServerLog(home) })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => keeping.stop(signal))

/** Whoever started this waits for it no longer than until then. */
function report(told: StartReport | undefined): void {
  if (!process.connected) return
  if (told === undefined) process.disconnect()
  else process.send?.(told, () => process.disconnect())
}

void keeping.run(report)
