// The same with the raw driver alone.
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'

const [path, key] = process.argv.slice(2) as [string, string]
const db = new DatabaseSync(path)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA temp_store = MEMORY')
db.prepare('SELECT * FROM state_keys WHERE root = (SELECT root FROM roots) AND key = ?1').all(key)
await sleep(1000)
console.log(process.memoryUsage.rss())
db.close()
