import { operations } from '../../../operations/index.ts'
import { type Tool, toolOf } from './tool.ts'

const { session, state, log, context } = operations

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
  toolOf(context.show, {
    description: 'What a session said and was told, now or at a point.',
    takes: { point: {}, since: {}, format: { among: ['text', 'raw', 'anthropic', 'openai', 'responses'] } },
    annotations: { readOnlyHint: true },
  }),
  toolOf(context.append, {
    description: 'Append a message to the conversation of a session.',
    takes: { role: { required: true }, content: { type: 'string', required: true }, tool_call_id: {} },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
  toolOf(context.overwrite, {
    description: 'Rewind a conversation: hide what came after a point, and restore the state with with_state.',
    takes: { from_point: { required: true }, with_state: {} },
    annotations: { destructiveHint: true, idempotentHint: true },
  }),
  toolOf(context.copy, {
    description: 'Copy a session with its whole root as of a point, or its messages alone.',
    takes: { to_point: {}, context_only: {} },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
  toolOf(session.fork, {
    description: 'Fork a root after an event of its log.',
    takes: { at: {} },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
  toolOf(log.list, {
    description: 'What happened, in order: the newest events, or those after a sequence number.',
    takes: { since: {}, limit: {}, stream: { about: 'state, session/0 ...' } },
    annotations: { readOnlyHint: true },
  }),
]
