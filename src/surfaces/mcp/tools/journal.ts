import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { operations } from '../../../operations/index.ts'
import { describedTool, inputOf, sessionMeant, type Tool, toolOf } from './tool.ts'

const { journal, decision, blocker } = operations

const actions = { add: blocker.add, bypass: blocker.bypass, resolve: blocker.resolve } as const
/** What the text of each of them is. */
const textOf = { add: 'description', bypass: 'workaround', resolve: 'resolution' } as const

const blockerUpdate = describedTool({
  name: 'blocker_update',
  description: 'Say what is in the way (add), how you go around it (bypass), or what ended it (resolve, with id).',
  takes: {
    action: { among: Object.keys(actions), required: true },
    text: { required: true },
    id: { about: 'block-001' },
    affects: { type: 'array', about: 'add: tasks or names' },
    ...sessionMeant,
  },
  annotations: { destructiveHint: false, idempotentHint: false },
  run({ action, text = null, id, affects, ...given }, perform) {
    const name = Object.hasOwn(actions, String(action)) ? (action as keyof typeof actions) : undefined
    if (name === undefined) throw new CairnRefusal(noAction())
    const named = id === undefined ? {} : { blocker: id }
    const others = affects === undefined ? {} : { affects }
    return perform(actions[name], { ...inputOf(given), [textOf[name]]: text, ...named, ...others })
  },
})

function noAction() {
  const names = Object.keys(actions).join(', ')
  return refuse('invalid_input', `action must be one of ${names}.`, 'Give one of them.', { path: 'action' })
}

const brief = describedTool({
  name: 'brief',
  description: 'Where the work stands: position, next action, blockers, decisions, what changed. Read it first.',
  takes: { since: { about: 'seq, or ISO time: a report' }, max_tokens: { type: 'integer' }, ...sessionMeant },
  annotations: { readOnlyHint: true },
  run: (given, perform) => perform(journal.brief, inputOf(given)),
})

export const journalTools: readonly Tool[] = [
  brief,
  toolOf(journal.update, {
    description: 'Keep the journal for whoever goes on: where you are, what comes next, what you changed and checked.',
    takes: {
      task: {},
      status: {},
      next: {},
      note: {},
      files: {},
      questions: {},
      verified: {},
      failed: {},
    },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
  toolOf(decision.add, {
    description: 'Record a decision and why, so that nobody decides it again.',
    takes: { decision: {}, context: {}, reason: {}, kind: {}, alternatives: {}, supersedes: {} },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
  blockerUpdate,
]
