import type { AdapterName } from '../../domain/workflow/adapters.ts'
import type { AgentAdapter } from './adapter.ts'
import { command } from './command.ts'
import { model } from './model.ts'

/** What can run agents here: the only list. */
export const agentAdapters: { readonly [Name in AdapterName]?: AgentAdapter } = { command, model }
