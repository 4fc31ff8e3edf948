import { operations } from '../../../operations/index.ts'
import { type Tool, toolOf } from './tool.ts'

const { session, state, log } = operations

/** What whoever directs agents does beside what they do. */
export const orchestratorTools: readonly Tool[] = [
  toolOf(session.create, {
    description: 'Start a session: a root for new work, or with parent a child that shares the state of its root.',
    takes: {
      topic: {},
      parent: {},
      name: {},
      objective: {},
      initial_state: { json: true, about: 'JSON object as text; roots only' },
    },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
  toolOf(session.end, {
    description: 'End a session and all below it.',
    takes: { status: {}, reason: {} },
    annotations: { destructiveHint: true, idempotentHint: true },
  }),
  toolOf(session.tree, {
    description: 'A session and all below it, with their status.',
    takes: {},
    annotations: { readOnlyHint: true },
  }),
  toolOf(session.list, {
    description: 'The roots of this store, newest first.',
    takes: { all: { about: 'Include ended ones' }, limit: {}, cursor: {} },
    annotations: { readOnlyHint: true },
  }),
  toolOf(state.summary, {
    description: 'As much of the state as fits, newest changes first.',
    takes: { max_keys: {}, max_bytes: {} },
    annotations: { readOnlyHint: true },
  }),
  toolOf(state.why, {
    description: 'The events behind the value of a key, and who made them.',
    takes: { key: {}, limit: {} },
    annotations: { readOnlyHint: true },
  }),
  toolOf(state.diff, {
    description: 'What changed in the state between two points: sequence numbers, times, or now.',
    takes: { from: { type: 'string' }, to: { type: 'string' } },
    annotations: { readOnlyHint: true },
  }),
  toolOf(state.restore, {
    description:
      'Restore keys, or the whole state, to an earlier point. This is recorded as a new change: nothing is lost.',
    takes: { to: { type: 'string' }, keys: { type: 'array' } },
    annotations: { destructiveHint: true, idempotentHint: true },
  }),
  toolOf(log.list, {
    description: 'What happened, in order: the newest events, or those after a sequence number.',
    takes: { since: {}, limit: {}, stream: { about: 'state, session/0 ...' } },
    annotations: { readOnlyHint: true },
  }),
]
