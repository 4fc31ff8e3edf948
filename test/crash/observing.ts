// Opens a store anew, as after a crash, and tells what is in it.

import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { methodsOf } from '../../src/open.ts'
import type { TestStore } from '../setup/stores.ts'
import type { Observed, Seen } from './ledger.ts'

const pageEvents = 1000

export async function observe(store: TestStore, session: string): Promise<Observed> {
  if (store.kind === 'Postgres') await untilAlone(store)
  const { log, caller } = await store.openLog()
  try {
    const cairn = methodsOf({ log, caller })
    const { state, version } = await cairn.state.all({ session }).catch(nothingYet)
    const seen: Seen[] = []
    for (let more = true; more; ) {
      const page = await cairn.log.list({ session, since: seen.at(-1)?.seq ?? 0, limit: pageEvents })
      seen.push(...(page.events as unknown as Seen[]))
      more = page.has_more as boolean
    }
    const damages = (await log.verify()).map(({ root, where, what }) => `${root}: ${where} ${what}`)
    return { state: state as Record<string, unknown>, version: version as number, log: seen, damages }
  } finally {
    await store.close()
  }
}

/** The database's own check of its file. */
export async function integrity(store: TestStore): Promise<string[]> {
  if (store.kind === 'Postgres') return []
  const rows = await store.sql('PRAGMA integrity_check')
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== 'ok')
}

function nothingYet(error: unknown) {
  if (error instanceof CairnRefusal && error.code === 'state_not_found') return { state: {}, version: 0 }
  throw error
}

/** A server goes on for a moment with what a client had sent before it was killed. */
async function untilAlone(store: TestStore): Promise<void> {
  const others = `SELECT count(*)::int AS others FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`
  while (Number((await store.sql(others))[0]?.others) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
}
