import type { Event } from '../log/event.ts'
import type { EvolvingOf } from '../log/evolve.ts'
import { type BodyShapes, checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import { object } from '../log/input-schema.ts'
import type { ForeignFacts, Part } from '../log/part.ts'
import { sessions } from '../sessions/tables.ts'
import { type RunFact, runsOf } from './facts.ts'
import { ended, madeWith, providerSession, runId, started, usage } from './members.ts'
import { endRun, reportRun, startRun } from './run.ts'
import { runs } from './tables.ts'

const evolve: EvolvingOf<RunFact> = {
  run_started: (rows, event) => startRun(rows, event, event.data),
  run_reported: (rows, event) => reportRun(rows, event, event.data),
  run_ended: (rows, event) => endRun(rows, event, event.data),
}

const shapes: BodyShapes<RunFact> = {
  run_started: object({ run: runId, ...started }),
  run_reported: object({ run: runId, model: madeWith.model, provider_session_id: providerSession, ...usage }),
  run_ended: object({ run: runId, ...ended }),
}

/** Whether a root could have recorded this of a run. */
const foreign: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as Event & RunFact
    const refusal = checkNoKey(event) ?? checkBody(shapes, event, limits)
    if (refusal) return refusal
    const no = runsOf(event.stream)
    if (no === undefined || rows.get(sessions, no) === undefined) return impossible('There is no such session.')
    const row = rows.get(runs, no, event.data.run)
    if (event.type === 'run_started') return row && impossible(`The run ${event.data.run} was started before.`)
    return row?.ended_at === null ? undefined : impossible(`The run ${event.data.run} does not go on here.`)
  },
}

/** The lives of agents: what ran when, with what, how it ended and what it used. Kept where conversations stay behind. */
export const runsPart: Part = {
  name: 'runs',
  owns: (stream) => runsOf(stream) !== undefined,
  tables: [runs],
  evolve,
  bodies: 'kept',
  secrets: 'refuse',
  foreign,
}
