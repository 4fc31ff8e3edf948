// A process that has a store open, has read and written once, and now waits; prints its memory in bytes.
import { setTimeout as sleep } from 'node:timers/promises'
import { openCairn } from '../src/index.ts'

const [home, session, key] = process.argv.slice(2) as [string, string, string]
const cairn = await openCairn({ home, session })
await cairn.state.get({ key })
await cairn.state.increment({ key })
await sleep(1000)
console.log(process.memoryUsage.rss())
await cairn.close()
