import { join } from 'node:path'
import { systemClock } from '../../src/clock.ts'
import type { Engine } from '../../src/store/engine.ts'
import { PostgresEngine } from '../../src/store/postgres/engine.ts'
import { SqliteEngine } from '../../src/store/sqlite/engine.ts'
import { layout } from './layout.ts'
import type { TestStore } from './stores.ts'

/** A store opened by hand, for a log that is made here. */
export async function engineOf({ home, options }: Pick<TestStore, 'home' | 'options'>): Promise<Engine> {
  if (options.store !== undefined) return PostgresEngine.open(options.store, layout)
  return SqliteEngine.open({ path: join(home, 'cairn.db'), clock: systemClock(), layout, waits: 'yielding' })
}
