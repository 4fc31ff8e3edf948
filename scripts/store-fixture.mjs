// Makes the fixture of a store as a commit of the past wrote it, from a checkout of that commit whose dist/ is built:
// node scripts/store-fixture.mjs CHECKOUT FOLDER [POSTGRES-URL]
// Without an address it writes store.db.gz and answers.json.gz, with that of an empty database postgres.json.gz: every row of it.
// test/store/stores-from-before.test.ts opens them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { DatabaseSync } from '@photostructure/sqlite'

const [checkout = '', folder = '', store] = process.argv.slice(2)
const { openCairn } = await import(pathToFileURL(resolve(checkout, 'dist/index.js')).href)
const home = mkdtempSync(join(tmpdir(), 'cairn-fixture-'))
const cairn = await openCairn({ home, ...(store && { store }) })

const day = '2026-11-18'
const { session_id: root } = await cairn.session.create({
  topic: 'Make the parser faster',
  initial_state: { done: 0, findings: [] },
})
const { session_id: child } = await cairn.session.create({ topic: 'Profile it', parent: root, name: 'profile' })
await cairn.state.set({ session: child, key: 'done', value: 1, version: 1 })
for (let at = 0; at < 40; at++) {
  await cairn.state.append({
    session: child,
    key: 'findings',
    items: [{ line: at, why: `split() in loop ${at}`, day }],
  })
  await cairn.state.increment({ session: root, key: 'done' })
}
await cairn.state.set({ session: root, key: 'text', value: 'x'.repeat(5000) })
await cairn.state.merge({ session: root, key: 'build', patch: { host: 'a', tries: 1 } })
await cairn.state.merge({ session: child, key: 'build', patch: { tries: 2 } })
await cairn.state.set({ session: root, key: 'gone', value: true })
await cairn.state.delete({ session: root, key: 'gone' })
await cairn.schema.set({ session: root, target: 'build', schema: { type: 'object' } })
const operations = [
  { op: 'set', key: 'a', value: true },
  { op: 'increment', key: 'done', delta: 2 },
]
await cairn.state.batch({ session: root, operations, request_id: 'once' })

await cairn.context.append({ session: child, role: 'system', content: 'You profile programs.' })
await cairn.context.append({ session: child, role: 'user', content: 'Where is the time spent?' })
await cairn.context.append({ session: child, role: 'assistant', content: 'In split().' })
await cairn.context.append({
  session: child,
  role: 'user',
  content: `Here is the file:\n${'line of code\n'.repeat(3000)}`,
})
await cairn.context.append({ session: child, role: 'assistant', content: 'A wrong turn.' })
await cairn.context.overwrite({ session: child, from_point: 4 })
await cairn.context.append({ session: child, role: 'assistant', content: 'The loop in line 88.' })
const { hash } = await cairn.blob.put({ session: root, content: Buffer.from('a profile\n'.repeat(400)) })

const { session_id: fork } = await cairn.session.fork({ session: root, at: 30 })
await cairn.state.set({ session: fork, key: 'only here', value: [1, 2, 3] })
const { session_id: other } = await cairn.session.create({ topic: 'Write the report' })
for (let at = 0; at < 30; at++) await cairn.state.set({ session: other, key: `k${at % 3}`, value: at })
await cairn.store.compact({ session: other, older_than: '0s' })
await cairn.session.end({ session: other })
await cairn.session.end({ session: child })

/** @type {Record<string, object>} */
const roots = {}
const answers = { root, child, fork, other, hash, roots, context: await cairn.context.show({ session: child }) }
for (const session of [root, fork, other]) {
  const { state } = await cairn.state.all({ session })
  const { state: then } = session === other ? { state: undefined } : await cairn.state.all({ session, at: 20 })
  const { events } = await cairn.log.list({ session, since: 0, limit: 1000 })
  roots[session] = { state, then, hashes: events.map((/** @type {{ hash: string }} */ { hash }) => hash) }
}
await cairn.close()

mkdirSync(folder, { recursive: true })
if (store === undefined) {
  // What lies in the write-ahead log goes into the one file.
  const file = new DatabaseSync(join(home, 'cairn.db'))
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  file.close()
  writeFileSync(join(folder, 'store.db.gz'), gzipSync(readFileSync(join(home, 'cairn.db')), { level: 9 }))
  writeFileSync(join(folder, 'answers.json.gz'), gzipSync(JSON.stringify(answers), { level: 9 }))
} else {
  writeFileSync(
    join(folder, 'postgres.json.gz'),
    gzipSync(JSON.stringify({ answers, rows: await rowsOf(store) }), { level: 9 }),
  )
}
rmSync(home, { recursive: true })

/** Every row of every table; bytes as the text that Postgres takes for them. */
async function rowsOf(/** @type {string} */ url) {
  const pg = createRequire(import.meta.url)('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  )
  /** @type {Record<string, object[]>} */
  const rows = {}
  for (const { name } of tables) {
    const { rows: found } = await client.query(`SELECT * FROM ${name}`)
    rows[name] = found.map((/** @type {object} */ row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value,
        ]),
      ),
    )
  }
  await client.end()
  return rows
}
