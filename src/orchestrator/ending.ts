import { hasEnded, type Status } from '../domain/sessions/lifecycle.ts'
import type { Agent } from './agent.ts'
import type { Board } from './board.ts'
import { usedUp } from './limits.ts'
import type { Turn } from './turn.ts'

/** Agents that a reason names; the others are counted. */
const namedMax = 3

/** Why nothing more is to be done below a root, if that is so. */
export interface End {
  readonly why: string
  /** What runs is stopped by this, and its exit says what becomes of it. */
  readonly isBudget: boolean
}

export function endOfAll(turn: Turn): End | undefined {
  const { root, fatal } = turn.board
  if (root === undefined) return undefined
  if (hasEnded(root.status)) return { why: `the workflow ${endedAs(root)}`, isBudget: false }
  if (fatal.size > 0) {
    const [first] = inOrder(fatal) as [Agent]
    return { why: `${first.spec.id} failed, and the workflow with it`, isBudget: false }
  }
  const used = usedUp(turn)
  return used === undefined ? undefined : { why: `the budget of the workflow is used up: ${used}`, isBudget: true }
}

/** Ends an agent that cannot go on; whether it did. */
export function endAgent(turn: Turn, agent: Agent, all: End | undefined): boolean {
  const why = all?.why ?? whyItEnds(agent)
  if (why === undefined) return false
  if (all?.isBudget && agent.run !== undefined) turn.stop(agent, 'budget')
  else turn.end(agent, agent.status === 'created' ? 'skip' : 'cancel', why)
  return true
}

/** What it depends on has ended without having done its work. */
function whyItEnds(agent: Agent): string | undefined {
  const { hindrance } = agent
  if (agent.status !== 'created' || hindrance === undefined) return undefined
  return `${hindrance.spec.id}, which it depends on, ${endedAs(hindrance)}`
}

function endedAs({ status }: { status: Status }): string {
  return status === 'failed' ? 'failed' : `was ${status}`
}

function inOrder(agents: Iterable<Agent>): Agent[] {
  return [...agents].sort((a, b) => a.no - b.no)
}

/** When everything has ended, so does the root. */
export function endRoot(turn: Turn): void {
  const { board, moves } = turn
  const { root, open, runs, agents } = board
  if (root?.status !== 'running' || open > 0 || runs > 0 || agents.size === 0 || board.current !== undefined) return
  const reason = whyFailed(board)
  moves.push({
    move: 'root',
    to: reason === undefined ? 'completed' : 'failed',
    ...(reason !== undefined && { reason }),
  })
  board.root = { ...root, status: reason === undefined ? 'completed' : 'failed' }
}

function whyFailed({ failed, agents }: Board): string | undefined {
  if (failed.size === 0) return undefined
  const ids = inOrder(failed).map(({ spec }) => spec.id)
  const named =
    ids.length > namedMax ? `${ids.slice(0, namedMax).join(', ')} and ${ids.length - namedMax} more` : ids.join(', ')
  return `${failed.size} of ${agents.size} ${agents.size === 1 ? 'agent' : 'agents'} failed: ${named}`
}
