import type { Answer } from '../../../domain/log/rows.ts'
import type { Json } from '../../../json/value.ts'
import { operations } from '../../../operations/index.ts'
import { describedTool, inputOf, sessionMeant, type Tool, toolOf } from './tool.ts'

const { state } = operations

const fence = { about: 'From state_claim' }

const stateGet = describedTool({
  name: 'state_get',
  description:
    'Read the state shared by all agents of this work: one key with its version and author, or everything. Look here first.',
  takes: {
    key: {},
    why: { about: 'With key: also who set it, in which turn' },
    prefix: { about: 'Only keys with this prefix' },
    ...sessionMeant,
  },
  annotations: { readOnlyHint: true },
  async run({ key, why, ...given }, perform) {
    if (key !== undefined) return perform(state.get, { ...inputOf(given), key, ...(why !== undefined && { why }) })
    return withoutRepeats(await perform(state.all, inputOf(given)))
  },
})

/** The whole state has every value once: in `state`; beside it `keys` says who wrote it, when, and its version. */
export function withoutRepeats(whole: Answer): Answer {
  const { root_session_id = null, state: values = {}, keys = {}, version = 0, seq = 0, updated_at = null } = whole
  const authors = Object.entries(keys as { [key: string]: { [name: string]: Json } }).map(([key, entry]) => {
    const { value: _, ...author } = entry
    return [key, author]
  })
  return { root_session_id, state: values, keys: Object.fromEntries(authors), version, seq, updated_at }
}

const stateSet = toolOf(state.set, {
  description: 'Write a key. Pass the version you read to write only if nobody changed it since; 0: only if it is new.',
  takes: { key: {}, value: { json: true, about: 'JSON, or plain text' }, version: {}, fence },
  annotations: { destructiveHint: true, idempotentHint: true },
})

const statePatch = toolOf(state.patch, {
  description:
    'Change several keys with one merge patch: null deletes, "a.b" is a path, {"$increment": 1} and {"$append": [..]} work.',
  takes: { patch: { json: true, about: 'JSON object as text' }, fence },
  annotations: { destructiveHint: true, idempotentHint: false },
})

const stateDelete = toolOf(state.delete, {
  description: 'Delete a key; its history stays.',
  takes: { key: {}, version: {}, fence },
  annotations: { destructiveHint: true, idempotentHint: true },
})

const stateIncrement = toolOf(state.increment, {
  description: 'Add to a number, safely while others do too; a missing key is 0. Use it for counters.',
  takes: { key: {}, delta: { about: 'Default 1' }, fence },
  annotations: { destructiveHint: false, idempotentHint: false },
})

const stateAppend = toolOf(state.append, {
  description: 'Add items to a list, safely while others do too; a missing key is []. Use it for findings and results.',
  takes: { key: {}, items: { json: true, about: 'JSON array as text' }, fence },
  annotations: { destructiveHint: false, idempotentHint: false },
})

const stateBatch = toolOf(state.batch, {
  description:
    'Several changes, all or none: {op, key, ...}. op: set (value), increment (delta), append (items), merge (patch), delete; if_match is the version. Values are plain JSON.',
  takes: { operations: { json: true, type: 'array' }, fence },
  annotations: { destructiveHint: true, idempotentHint: false },
})

const stateHistory = toolOf(state.history, {
  description: 'Earlier values of a key, newest first, with who changed it.',
  takes: { key: {}, limit: {}, before: { about: 'A version' } },
  annotations: { readOnlyHint: true },
})

const stateWait = toolOf(state.wait, {
  description: 'Wait until a key exists, equals a value or meets a condition, instead of polling.',
  takes: {
    key: {},
    equals: { json: true, about: 'JSON, or plain text' },
    condition: { about: 'value >= 3, length > 2, .a.b == "x", absent' },
    timeout: { about: 'Like 45s or 10m, default 30s' },
  },
  annotations: { readOnlyHint: true },
})

export const stateTools: readonly Tool[] = [
  stateGet,
  stateSet,
  statePatch,
  stateDelete,
  stateIncrement,
  stateAppend,
  stateBatch,
  stateHistory,
  stateWait,
]
