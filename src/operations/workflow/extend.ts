import { integer, jsonList, jsonObject, optional } from '../../domain/log/input-schema.ts'
import { Refusal } from '../../domain/log/refusal.ts'
import { asksForTrees } from '../../domain/workflow/file/own-tree.ts'
import type { JsonObject } from '../../json/value.ts'
import { change } from '../operation.ts'
import { extendingRefs, extendWorkflow } from './extending.ts'

/** What is said of it is read as that of a workflow is, so that both are refused alike. */
export const workflowExtend = change({
  name: 'workflow.extend',
  summary: 'Add agents, phases or profiles to a workflow while it runs.',
  command: { words: ['workflow extend'], positional: ['agents'] },
  reach: 'subtree',
  input: {
    agents: optional(jsonList('New agents, as in a workflow file.')),
    phases: optional(jsonList('New phases, after those that are there: [{name, when?}].')),
    profiles: optional(jsonObject('New profiles by name.')),
    max_parallel: optional(integer('How many agents run at a time from now on.', { min: 1 })),
    budget: optional(jsonObject('What may be used up from now on: {tokens, usd, wall}.')),
  },
  treesOf: (asked) => (asksForTrees(asked) ? { project: undefined } : undefined),
  needs: (asked, rows) => extendingRefs(rows, asked.agents ?? []),
  decide({ agents, phases, profiles, max_parallel, budget }, on) {
    const asked = { agents, phases, profiles, max_parallel, budget }
    const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as JsonObject
    const added = extendWorkflow(on, given)
    return added instanceof Refusal
      ? added
      : { root_session_id: on.rows.id, agents: added, seq: on.rows.head()?.seq ?? 0 }
  },
})
