import { needKinds } from '../../../domain/journal/facts.ts'
import {
  integer,
  list,
  object,
  oneOf,
  optional,
  type Schema,
  text,
  variants,
} from '../../../domain/log/input-schema.ts'
import { line, prose } from '../../../domain/log/text/entries.ts'
import { phaseStates } from '../../../domain/plan/facts.ts'
import { ends } from '../../../domain/runs/facts.ts'
import { madeWith } from '../../../domain/runs/members.ts'
import { endReason } from '../../../domain/sessions/members.ts'
import { checkpointed, exited, parked, recovery, started, woken } from '../../../domain/workflow/bodies.ts'
import type { Move } from '../../../domain/workflow/moves.ts'

const agent = integer('The number of the session of an agent.', { min: 1 })
const raises = object({
  kind: oneOf('Why a person is needed.', needKinds),
  text: prose('What it is about.'),
  about: optional(line('What of the session; its kind unless given.')),
  actions: optional(list('What a person may answer with.', line('An answer.'))),
})
const reason = endReason

/** What can be said of an agent, of a phase or of the root: `Move` as it comes in. */
export const move = variants('A move: {move, …}.', 'move', {
  start: { ...started, ...madeWith, adapter: text('What runs it.', { max: 64 }) },
  exit: { ...exited, how: oneOf('How the run ended.', ends) },
  paused: { agent },
  thawed: { agent },
  complete: { agent },
  fail: { agent, reason },
  skip: { agent, reason },
  cancel: { agent, reason },
  park: { ...parked, raises: optional(raises) },
  wake: woken,
  need: { agent, raises },
  phase: {
    phase: integer('The number of a phase.', { min: 1 }),
    to: oneOf('What it becomes.', phaseStates),
    reason: optional(reason),
  },
  root: { to: oneOf('How it ended.', ['completed', 'failed']), reason: optional(reason) },
  checkpoint: checkpointed,
  recovery,
}) as Schema<Move>
