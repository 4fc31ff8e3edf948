import type { Part, Parts } from '../../domain/log/part.ts'
import { ask, askRows } from '../../domain/log/questions.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { type RootRow, streams } from '../../domain/log/tables.ts'
import type { Engine, Work } from '../../store/engine.ts'
import { asLoads } from '../write/as-loads.ts'
import { ownRows } from './compact.ts'
import { bytesOfBodies, bytesOfPast, touched, withoutBodies, withoutRows } from './touched.ts'

/** Takes out the bodies of what has been hidden since a time, except where forks share them; says how many there were. */
export async function removeHidden(engine: Engine, parts: Parts, since: number): Promise<number> {
  let removed = 0
  for (const part of parts.list.filter(({ hidden }) => hidden !== undefined)) {
    for (const { root } of await engine.read(ask(aboutLog.all_roots), false)) {
      for (let more = true; more; ) {
        const page = await engine.write([root], ([head]) => removePage(parts, part, head, since))
        removed += page
        more = page > 0
      }
    }
  }
  return removed
}

function* removePage(parts: Parts, part: Part, head: RootRow | undefined, since: number): Work<number> {
  if (head === undefined || part.hidden === undefined) return { changes: [], out: 0 }
  // A fork that was made meanwhile shares what was there.
  const mine = yield* asLoads(ownRows(head.root))
  const { events, rows } = yield* asLoads(part.hidden(head.root, since, mine))
  if (events.length === 0) return { changes: [], out: 0 }
  const last = new Map(events.map(({ stream, seq }) => [stream, seq]))
  const moved = (yield* asLoads(askRows(streams, head.root))).flatMap((stream) => {
    const base = last.get(stream.stream)
    return base === undefined ? [] : [{ ...stream, base: Math.max(base, stream.base) }]
  })
  const freed = bytesOfBodies(events) + bytesOfPast(rows)
  const changes = [withoutBodies(head.root, events), ...withoutRows(parts, head.root, rows)]
  return { changes: [...changes, ...touched(head, moved, -freed)], out: events.length }
}
