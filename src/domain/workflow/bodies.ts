import type { BodyShapes } from '../log/foreign-body.ts'
import { flag, integer, list, object, oneOf, optional, text } from '../log/input-schema.ts'
import { runId } from '../runs/members.ts'
import { statuses } from '../sessions/lifecycle.ts'
import { causes, checkpointReasons, parkings, rungs, type WorkflowFact } from './facts.ts'
import { agentSpec, resultCharsMax, sessionNumber, workflowExtended, workflowSpec } from './members.ts'

const agent = integer('The number of the session of an agent.', { min: 1 })
const numbered = integer('Counted from 1.', { min: 1 })
const time = integer('Milliseconds since 1970.')
const why = text('Why.', { max: 2000 })
const hash = text('SHA-256.', { max: 64, min: 64 })

export const result = object({
  text: optional(text('What it left.', { min: 0, max: resultCharsMax })),
  blob: optional(hash),
  bytes: integer('Its length.'),
  digest: hash,
})

export const exited = {
  agent,
  run: runId,
  cause: oneOf('What ended it.', causes),
  exit_code: optional(integer('Its exit code.', { max: 255 })),
  signal: optional(text('The signal.', { max: 32 })),
  reason: optional(why),
  retry_at: optional(time),
  result: optional(result),
}

export const parked = {
  agent,
  why: oneOf('What it waits for.', parkings),
  wake_at: optional(time),
  need: optional(numbered),
  blocker: optional(numbered),
  failures: optional(integer('Failed runs.')),
}

export const woken = {
  agent,
  by: oneOf('What woke it.', [...parkings, 'person']),
  text: optional(text('What it is told.', { min: 0, max: resultCharsMax })),
}

export const started = {
  agent,
  run: runId,
  rung: oneOf('How it goes on.', rungs),
  attempt: integer('Which attempt.', { min: 1 }),
}

export const checkpointed = {
  why: oneOf('Why.', checkpointReasons),
  phase: optional(numbered),
  agent: optional(agent),
}

export const recoveryStep = object({
  agent,
  was: oneOf('Its status.', statuses),
  cause: oneOf('What happened.', [...causes, 'lost']),
  rung: oneOf('How it goes on.', [...rungs, 'wait', 'fail']),
  reason: optional(why),
})

const serverEnded = object({
  at: text('When it was seen dead.', { max: 64 }),
  how: text('How it ended.', { max: 200 }),
  back: text('When there was one again.', { max: 64 }),
})

export const recovery = { steps: list('What is done, in order.', recoveryStep), server: optional(serverEnded) }

/** What the facts of a workflow say. */
export const bodies: BodyShapes<WorkflowFact> = {
  workflow_set: workflowSpec,
  workflow_extended: workflowExtended,
  agent_added: object({ agent: sessionNumber, ...agentSpec }),
  agent_started: object(started),
  agent_exited: object(exited),
  agent_parked: object(parked),
  agent_woken: object(woken),
  agent_asked: object({ agent, need: numbered }),
  agent_paused: object({ agent, paused: flag('Whether its processes stand still.') }),
  agent_held: object({ agent, held: flag('Whether a person wants that.') }),
  agent_retried: object({ agent }),
  checkpoint_taken: object({
    ...checkpointed,
    state: integer('Version of the shared state.'),
    upto: integer('The event before it.'),
    hash,
  }),
  recovery_planned: object(recovery),
}
