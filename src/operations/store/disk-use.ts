import { ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { readStore } from '../operation.ts'

/** What all roots take up on disk, and the fullest of them. No surface offers it: the metrics of a server show it. */
export const diskUse = readStore({
  name: 'store.disk',
  summary: 'Show what roots take up on disk.',
  command: { words: [] },
  input: {},
  snapshot: false,
  *read(_input, _place, _now, _parts, _leaseTime, limits) {
    const [{ all = 0, fullest = 0 } = {}] = yield* ask(aboutLog.disk_use)
    return { all, fullest, limit: limits.rootDiskBytes }
  },
})
