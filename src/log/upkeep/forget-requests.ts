import { ask } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import type { Engine, Work } from '../../store/engine.ts'
import { asLoads } from '../write/as-loads.ts'
import { touched } from './touched.ts'

/** Removes what is remembered of requests before a time, and counts it no more in their roots; says how many there were. */
export async function forgetRequests(engine: Engine, before: number): Promise<number> {
  const held = (await engine.read(ask(aboutLog.requests_before, before), false)).map(({ root }) => root)
  if (held.length === 0) return 0
  const forgotten = await engine.write(held, function* (heads): Work<number | undefined> {
    const old = yield* asLoads(ask(aboutLog.requests_before, before))
    // A clock that was set back may have remembered more of them meanwhile.
    if (old.some(({ root }) => !held.includes(root))) return { changes: [], out: undefined }
    const bytes = new Map(old.map((each) => [each.root, each.bytes]))
    const counted = heads.flatMap((head) => touched(head, [], -(bytes.get(head.root) ?? 0)))
    const out = old.reduce((sum, { count }) => sum + count, 0)
    return { changes: [{ deed: 'forget_requests_before', each: [[before]] }, ...counted], out }
  })
  return forgotten ?? forgetRequests(engine, before)
}
