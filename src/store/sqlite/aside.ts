import { createRequire as requireFrom } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { elapsed } from '../../clock.ts'
import type { Asking, Load } from '../../domain/log/questions.ts'
import { statementOf } from '../statements.ts'
import { lockWaitMsMax } from './lock.ts'
import { SqliteRows, type Statement } from './rows.ts'

/** So long a reading goes on before others get their turn. */
const sliceMs = 20

/** A connection that is for one reading. */
interface Connection {
  readonly isTransaction: boolean
  prepare(text: string): Statement
  close(): void
}

/** Answers a reading in slices, on a connection of its own that sees one moment all the while and is closed then: one long answer keeps nobody waiting. */
export async function readInSlices<Out>(db: Connection, reading: Asking<Out>): Promise<Out> {
  const rows = new SqliteRows(db)
  try {
    rows.run('BEGIN')
    let since = elapsed()
    let step = reading.next()
    while (!step.done) {
      step = reading.next(selectedBy(rows, step.value))
      if (elapsed() - since < sliceMs) continue
      await setImmediate()
      since = elapsed()
    }
    return step.value
  } finally {
    // The driver lets go of a connection that was closed only when nobody holds its statements, and till then it would hold its moment.
    if (db.isTransaction) rows.run('ROLLBACK')
    rows.forget()
    db.close()
  }
}

export function selectedBy(rows: SqliteRows, load: Load): object[] {
  const { text, parameters, bytes } = statementOf(load)
  return rows.all(text, parameters, bytes)
}

/** What the thread does: it has nothing of ours but the driver, so that it starts at once. */
const program = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require(workerData.driver)
const db = new DatabaseSync(workerData.path, { timeout: workerData.timeout })
try {
  parentPort.postMessage({ rows: db.prepare(workerData.statement).all() })
} catch (error) {
  parentPort.postMessage({ message: error.message })
} finally {
  db.close()
}
`

type Told = { readonly rows: object[] } | { readonly message: string }

/** One statement that takes long, on a thread and a connection of its own: nobody else stands still meanwhile. */
export function runAside(path: string, statement: string): Promise<object[]> {
  const driver = requireFrom(import.meta.url).resolve('@photostructure/sqlite')
  return new Promise((resolve, reject) => {
    const worker = new Worker(program, { eval: true, workerData: { path, statement, driver, timeout: lockWaitMsMax } })
    let told: Told = { message: 'The thread ended before it answered.' }
    worker.once('message', (said: Told) => {
      told = said
    })
    worker.once('error', reject)
    // Its connection is closed by then, and holds nothing any more.
    worker.once('exit', () => ('rows' in told ? resolve(told.rows) : reject(new Error(told.message))))
  })
}
