import { stateClaim } from './claim.ts'
import { journalTools } from './journal.ts'
import { manifestTools } from './manifest.ts'
import { orchestratorTools } from './orchestrator.ts'
import type { Profile } from './profile.ts'
import { sessionStatus } from './session.ts'
import { stateTools } from './state.ts'
import { taskAdd, taskClaim } from './task.ts'
import type { Tool } from './tool.ts'
import { sessionAsk, workflowTools } from './workflow.ts'

const agentTools: readonly Tool[] = [...stateTools, stateClaim, sessionStatus, sessionAsk, ...journalTools, taskClaim]

/** Everything a client can call, by profile: the only list. */
export const tools: Readonly<Record<Profile, readonly Tool[]>> = {
  agent: agentTools,
  orchestrator: [...agentTools, ...orchestratorTools, ...workflowTools, taskAdd, ...manifestTools],
}
