// The same with the raw driver alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { Bare } from './bare.ts'

const [path, key] = process.argv.slice(2) as [string, string]
const bare = Bare.open(path)
bare.read(key)
await sleep(1000)
console.log(process.memoryUsage.rss())
bare.close()
