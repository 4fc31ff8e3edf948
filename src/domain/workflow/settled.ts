import { type Adapter, type AdapterName, adapters } from './adapters.ts'
import type { AgentSpec, Budget, Profile, WorkflowSpec } from './spec.ts'

/** Three attempts in all. */
const retriesUsual = 2
/** Whatever failed once may be well again in a second; a provider that is down is not asked all the time. */
export const backoffUsual = { first: 1000, factor: 2, max: 300_000 }

type Chosen = 'retries' | 'backoff' | 'on_failure' | 'result' | 'pause' | 'auto_resume'

/** An agent with all that it left open filled in. */
export type SettledAgent = AgentSpec &
  Required<Pick<AgentSpec, Chosen | 'depends_on' | 'env' | 'budget'>> & {
    readonly adapter: AdapterName
    readonly profile: Profile | undefined
  }

/** What runs an agent: `command` where it names a program, else what its profile says, or the adapter of that name. */
export function adapterOf({ run, use }: Pick<AgentSpec, 'run' | 'use'>, { profiles = {} }: WorkflowSpec): AdapterName {
  if (run !== undefined || use === undefined) return 'command'
  return Object.hasOwn(profiles, use) ? (profiles[use] as Profile).adapter : (use as AdapterName)
}

export function settledAgent(spec: AgentSpec, workflow: WorkflowSpec): SettledAgent {
  const adapter = adapterOf(spec, workflow)
  const { pause }: Adapter = adapters[adapter]
  const given = { ...workflow.defaults, ...spec }
  const profile = spec.use === undefined ? undefined : workflow.profiles?.[spec.use]
  const env = {
    pass: [...(workflow.defaults?.env?.pass ?? []), ...(spec.env?.pass ?? [])],
    set: { ...workflow.defaults?.env?.set, ...spec.env?.set },
  }
  const budget: Budget = { ...workflow.defaults?.budget, ...spec.budget }
  return {
    retries: retriesUsual,
    backoff: backoffUsual,
    on_failure: 'skip',
    result: 'optional',
    pause,
    auto_resume: 'free',
    depends_on: [],
    ...given,
    ...(profile?.run !== undefined && { run: profile.run }),
    adapter,
    profile,
    env,
    budget,
  }
}
