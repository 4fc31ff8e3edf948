import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { operations } from '../../../operations/index.ts'
import { describedTool, inputOf, sessionMeant, type Tool, toolOf } from './tool.ts'

const { session, workflow } = operations
const { start, pause, resume, cancel, retry, approve, answer } = session
const actions = { start, pause, resume, cancel, retry, approve, answer } as const

/** A person is asked by whoever works, and not by those who direct them alone. */
export const sessionAsk: Tool = toolOf(session.ask, {
  description: 'Ask the person a question, then end your turn: you are started again with the answer.',
  takes: { text: {}, actions: { type: 'array', about: 'Answers to choose from' } },
  annotations: { destructiveHint: false, idempotentHint: false },
})

/** What whoever directs agents says to Cairn, which runs them. */
export const workflowTools: readonly Tool[] = [
  describedTool({
    name: 'workflow_status',
    description: 'How far the work is: agents, phases, progress, an estimate, and what waits for a person.',
    takes: sessionMeant,
    annotations: { readOnlyHint: true },
    run: (given, perform) => perform(session.status, inputOf(given)),
  }),
  describedTool({
    name: 'workflow_control',
    description: 'Steer a whole session, one agent of it, or one phase. text is the answer, or the reason to cancel.',
    takes: { action: { among: Object.keys(actions), required: true }, agent: {}, phase: {}, text: {}, ...sessionMeant },
    annotations: { destructiveHint: true, idempotentHint: false },
    run({ action, text, ...given }, perform) {
      const word = String(action)
      if (!Object.hasOwn(actions, word)) throw new CairnRefusal(noAction())
      const member = word === 'answer' ? 'text' : 'reason'
      const words = text === undefined ? {} : { [member]: text }
      return perform(actions[word as keyof typeof actions], { ...inputOf(given), ...words })
    },
  }),
  toolOf(workflow.extend, {
    description: 'Add agents or phases to a workflow that runs, written as in a workflow file.',
    takes: { agents: { type: 'array' }, phases: { type: 'array' } },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
  toolOf(session.spawn, {
    description:
      'Start another agent below yours, with a profile of the workflow; its result comes when you end your turn.',
    takes: { use: {}, task: {}, role: {}, id: {} },
    annotations: { destructiveHint: false, idempotentHint: false },
  }),
]

function noAction() {
  const names = Object.keys(actions).join(', ')
  return refuse('invalid_input', `action must be one of ${names}.`, 'Give one of them.', { path: 'action' })
}
