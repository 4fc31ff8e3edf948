import { isoTime } from '../../domain/log/identity.ts'
import { integer, optional } from '../../domain/log/input-schema.ts'
import { pastPlace } from '../../domain/log/past/place.ts'
import { type Asking, ask, askRow } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { aboutLog } from '../../domain/log/sql/about-log.ts'
import { roots } from '../../domain/log/tables.ts'
import { past } from '../inputs.ts'
import { read } from '../operation.ts'

/** As many as a strip across a screen can show. */
const pointsUsual = 100
const pointsMax = 500

type Time = { seq: number; at: string }

/** Evenly spread, and the first and the last among them: each costs the same, however long the log is. */
function* timesOf(root: number, last: number, points: number): Asking<Time[]> {
  const times: Time[] = []
  const count = Math.min(points, last)
  for (let at = 0; at < count; at++) {
    const seq = count === 1 ? last : 1 + Math.round((at * (last - 1)) / (count - 1))
    const [event] = yield* ask(aboutLog.moves_since, root, seq - 1, 1)
    if (event !== undefined) times.push({ seq: event.seq, at: isoTime(event.at) })
  }
  return times
}

export const logTimes = read({
  name: 'log.times',
  summary: 'Show when events happened: the times of some, evenly spread over the log.',
  command: { words: ['log times'] },
  input: {
    points: optional(integer('How many events; default 100.', { min: 2, max: pointsMax })),
    ...past,
  },
  snapshot: true,
  *read(input, { root, rootId }) {
    const place = yield* pastPlace(root, input, undefined)
    if (place instanceof Refusal) return place
    const last = place ?? (yield* askRow(roots, root))?.seq ?? 0
    return { root_session_id: rootId, times: yield* timesOf(root, last, input.points ?? pointsUsual), last_seq: last }
  },
})
