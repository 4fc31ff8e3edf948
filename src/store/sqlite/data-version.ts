import type { Parameter } from '../../domain/log/questions.ts'
import { hintMs, type Moved } from '../engine.ts'
import type { SqliteRows } from './rows.ts'

/** Moves when another connection has committed, whatever it wrote. */
export function dataVersion(rows: SqliteRows): Parameter {
  return rows.value('PRAGMA data_version')
}

/** Looks again and again whether it has moved. */
export function watchVersion(rows: SqliteRows, moved: Moved): { stop(): void } {
  let seen = shownVersion(rows)
  const timer = setInterval(() => {
    const now = shownVersion(rows) ?? seen
    if (now === seen) return
    seen = now
    moved(undefined)
  }, hintMs)
  return { stop: () => clearInterval(timer) }
}

/** Nothing where it cannot be had: it is looked at again soon, and whoever reads is told what is wrong. */
function shownVersion(rows: SqliteRows): Parameter | undefined {
  try {
    return dataVersion(rows)
  } catch {
    return undefined
  }
}
