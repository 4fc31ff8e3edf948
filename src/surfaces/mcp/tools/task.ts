import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { operations } from '../../../operations/index.ts'
import { describedTool, inputOf, sessionMeant, type Tool, toolOf } from './tool.ts'

const { task } = operations
const { claim, done, block, progress } = task
const actions = { claim, done, block, progress } as const

/** What is said with an action, under the name that its operation has for it. */
const said = { claim: undefined, done: 'result', block: 'reason', progress: 'note' } as const

/** A worker has one task at a time, so that it need not name it. */
export const taskClaim: Tool = describedTool({
  name: 'task_claim',
  description:
    'Claim the next task of the plan that is ready, or the one named. Then end it with done or block, or keep it with progress, and say in text what came of it.',
  takes: { task: {}, action: { among: Object.keys(actions) }, text: {}, ...sessionMeant },
  annotations: { destructiveHint: false, idempotentHint: false },
  run({ action = 'claim', text, ...given }, perform) {
    const word = String(action)
    if (!Object.hasOwn(actions, word)) throw new CairnRefusal(noAction())
    const meant = word as keyof typeof actions
    const member = said[meant]
    const words = text === undefined || member === undefined ? {} : { [member]: text }
    // A model that asks again has forgotten its token, or never heard it.
    const again = meant === 'claim' ? { reclaim: true } : {}
    return perform(actions[meant], { ...inputOf(given), ...words, ...again })
  },
})

function noAction() {
  const names = Object.keys(actions).join(', ')
  return refuse('invalid_input', `action must be one of ${names}.`, 'Leave it out to claim.', { path: 'action' })
}

export const taskAdd: Tool = toolOf(task.add, {
  description: 'Add a task to the plan. It is ready once the tasks in after are done, and lower waves of its plan.',
  takes: { text: {}, after: { type: 'array' }, phase: {}, plan: {}, wave: {} },
  annotations: { destructiveHint: false, idempotentHint: false },
})
