import { stateClaim } from './claim.ts'
import { orchestratorTools } from './orchestrator.ts'
import type { Profile } from './profile.ts'
import { sessionStatus } from './session.ts'
import { stateTools } from './state.ts'
import type { Tool } from './tool.ts'

const agentTools: readonly Tool[] = [...stateTools, stateClaim, sessionStatus]

/** Everything a client can call, by profile: the only list. */
export const tools: Readonly<Record<Profile, readonly Tool[]>> = {
  agent: agentTools,
  orchestrator: [...agentTools, ...orchestratorTools],
}
