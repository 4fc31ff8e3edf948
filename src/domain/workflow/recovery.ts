import type { Status } from '../sessions/lifecycle.ts'
import { adapters } from './adapters.ts'
import type { AgentExited, Cause, RecoveryStep, Rung } from './facts.ts'
import type { SettledAgent } from './settled.ts'

/** What says how an agent can go on. */
export interface Climber {
  readonly spec: SettledAgent
  readonly attempts: number
  readonly failures: number
  /** How its last run was begun, and how that ended. */
  readonly rung: Rung | undefined
  readonly exited: AgentExited | undefined
  /** The provider knows it under an id, or there is a conversation. */
  readonly canResume: boolean
  readonly canReplay: boolean
}

/** The rungs below the live process, the best first: an agent of its own kind of memory, its conversation, a brief. */
const ladder: readonly Rung[] = ['resume', 'replay', 'fresh']

/** How an agent goes on: by the best rung it can, and after a failure below the one that led to it. */
export function nextRung({ attempts, spec, canResume, canReplay, rung, exited, failures }: Climber): Rung {
  if (attempts === 0) return 'fresh'
  const { resumes, replays } = adapters[spec.adapter]
  const possible = { adopt: false, resume: resumes && canResume, replay: replays && canReplay, fresh: true }
  const hasFailed = failures > 0 && exited?.cause === 'exit' && exited.exit_code !== 0
  const below = hasFailed && rung !== undefined && rung !== 'fresh' ? ladder.indexOf(rung) + 1 : 0
  return ladder.slice(below).find((each) => possible[each]) ?? 'fresh'
}

/** After an interruption nothing goes on by itself that costs money, unless a person has said so before. */
export function mayGoOn({ auto_resume, adapter }: SettledAgent): boolean {
  if (auto_resume === 'free') return !adapters[adapter].pays
  return auto_resume === 'always'
}

/** An agent with an open run, as whoever recovers a root finds it. */
export interface Interrupted extends Climber {
  readonly no: number
  readonly status: Status
  readonly held: boolean
  /** Its run is that of the root which this one was forked from. */
  readonly isShared: boolean
  /** Its process lives; or what ended its run: `lost` where there is no record of it. */
  readonly found: 'alive' | Cause | 'lost'
  readonly exitCode?: number | undefined
}

/**
 * What recovery does with the agents that had an open run, one by one: docs/guides/recovery.md has it as a table. One that has ended
 * well needs none.
 */
export function recoverySteps(agents: readonly Interrupted[]): RecoveryStep[] {
  return agents.flatMap((agent) => {
    const { no, status, found } = agent
    const step = stepOf(agent)
    return step === undefined ? [] : [{ agent: no, was: status, cause: found === 'alive' ? 'lost' : found, ...step }]
  })
}

type Step = Pick<RecoveryStep, 'rung' | 'reason'>

function stepOf(agent: Interrupted): Step | undefined {
  const { found, isShared, held, status, exitCode } = agent
  if (isShared) return { rung: 'wait', reason: 'Its run belongs to the root that this one was forked from.' }
  if (found === 'alive') return { rung: 'adopt' }
  if (found === 'exit' && exitCode === 0) return undefined
  if (found === 'budget') return { rung: 'fail', reason: 'Its budget is used up.' }
  if (found === 'rate_limit') return { rung: 'wait', reason: 'Its provider takes requests again later.' }
  if (found === 'person' || held || status === 'paused') return { rung: 'wait', reason: 'It was paused.' }
  return again(agent)
}

function again(agent: Interrupted): Step {
  const { spec, failures, found } = agent
  const isCut = found === 'crash' || found === 'lost'
  if (failures + 1 > spec.retries) return { rung: 'fail', reason: `It was the last of ${spec.retries + 1} attempts.` }
  if (isCut && !mayGoOn(spec)) return { rung: 'wait', reason: 'A person has to agree: it may cost money.' }
  return { rung: nextRung({ ...agent, failures: failures + 1 }) }
}
