// A process that has a store open and so many callers that wait for one key; prints the CPU time of a second in ms.
import { setTimeout as sleep } from 'node:timers/promises'
import { openCairn } from '../src/index.ts'

const [home, session, waiters] = process.argv.slice(2) as [string, string, string]
const cairn = await openCairn({ home, session })
// One that listens is there in both cases: how a process hears of others costs the same for one and for a thousand.
const all = Array.from({ length: 1 + Number(waiters) }, () => cairn.state.wait({ key: 'never', timeout: '1h' }))
for (const wait of all) wait.catch(() => undefined)
await sleep(500)
const before = process.cpuUsage()
await sleep(2000)
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 2000)
await cairn.close()
