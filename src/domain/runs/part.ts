import { journalOf } from '../journal/journal.ts'
import type { Event } from '../log/event.ts'
import type { EvolvingOf } from '../log/evolve.ts'
import { type BodyShapes, checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import { object } from '../log/input-schema.ts'
import type { ForeignFacts, Part } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import { sessions } from '../sessions/tables.ts'
import { type RunFact, type RunStarted, runsOf } from './facts.ts'
import { ended, handedOver, madeWith, providerSession, runId, sat, started, usage } from './members.ts'
import { endRun, reportRun, startRun } from './run.ts'
import { endSitting, reportSitting, startSitting } from './sitting.ts'
import { runs, sittings } from './tables.ts'

const evolve: EvolvingOf<RunFact> = {
  run_started(rows, event) {
    startRun(rows, event, event.data)
    startSitting(rows, event, event.data)
  },
  run_reported(rows, event) {
    reportRun(rows, event, event.data)
    reportSitting(rows, event, event.data)
  },
  run_ended(rows, event) {
    endRun(rows, event, event.data)
    endSitting(rows, event, event.data)
  },
}

const shapes: BodyShapes<RunFact> = {
  run_started: object({ run: runId, ...started, ...sat }),
  run_reported: object({ run: runId, model: madeWith.model, provider_session_id: providerSession, ...usage }),
  run_ended: object({ run: runId, ...ended, ...handedOver }),
}

/** Sittings count within the root, and take up one that was before. */
function checkSitting(before: number, { sitting, follows }: RunStarted): Refusal | undefined {
  if (sitting !== undefined && sitting !== before + 1)
    return impossible(`It begins sitting ${sitting}, where the next one is ${before + 1}.`)
  return follows === undefined || follows <= before ? undefined : impossible(`There is no sitting ${follows}.`)
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
    if (event.type === 'run_started') {
      if (row) return impossible(`The run ${event.data.run} was started before.`)
      return checkSitting(journalOf(rows).sittings, event.data)
    }
    return row?.ended_at === null ? undefined : impossible(`The run ${event.data.run} does not go on here.`)
  },
}

/** The lives of agents: what ran when, with what, how it ended and what it used. Kept where conversations stay behind. */
export const runsPart: Part = {
  name: 'runs',
  owns: (stream) => runsOf(stream) !== undefined,
  tables: [runs, sittings],
  evolve,
  bodies: 'kept',
  secrets: 'refuse',
  foreign,
}
