// A process that sets a key to the time now and then; whoever sees it knows how late.
import { setTimeout as sleep } from 'node:timers/promises'
import { openCairn } from '../src/index.ts'

const [home, session, times] = process.argv.slice(2) as [string, string, string]
const cairn = await openCairn({ home, session })
await sleep(500)
for (let at = 0; at < Number(times); at++) {
  await cairn.state.set({ key: 'sent', value: performance.timeOrigin + performance.now() })
  // No multiple of the time after which others look.
  await sleep(37 + ((at * 29) % 100))
}
await cairn.close()
