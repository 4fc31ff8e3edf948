import { CairnRefusal, refuse } from '../../../domain/log/refusal.ts'
import { operations } from '../../../operations/index.ts'
import { describedTool, inputOf, sessionMeant } from './tool.ts'

const { claim, heartbeat, release } = operations.state
const actions = { claim, heartbeat, release } as const

/** Long enough for a model that thinks between two calls. */
const ttlUsual = '5m'

export const stateClaim = describedTool({
  name: 'state_claim',
  description:
    'Claim a key so that one agent works on it: returns a token, or who holds it. Writes with fence "key/KEY:TOKEN" fail once it is lost. Extend or end it with heartbeat or release and the token.',
  takes: {
    key: { required: true },
    action: { among: Object.keys(actions) },
    ttl: { about: `Default ${ttlUsual}` },
    token: {},
    ...sessionMeant,
  },
  annotations: { destructiveHint: false, idempotentHint: false },
  run({ action = 'claim', ttl, token, ...given }, perform) {
    const operation = Object.hasOwn(actions, String(action)) ? actions[action as keyof typeof actions] : undefined
    if (operation === undefined) throw new CairnRefusal(noAction())
    // A model that asks again has forgotten its token, or never heard it.
    const needed = operation === claim ? { ttl: ttl ?? ttlUsual, reclaim: true } : { token }
    return perform(operation, { ...inputOf(given), ...needed })
  },
})

function noAction() {
  const names = Object.keys(actions).join(', ')
  return refuse('invalid_input', `action must be one of ${names}.`, 'Leave it out to claim.', { path: 'action' })
}
