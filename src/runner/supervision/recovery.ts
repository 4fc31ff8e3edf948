import { statSync } from 'node:fs'
import type { Status } from '../../domain/sessions/lifecycle.ts'
import type { Cause, RecoveryStep, ServerDied } from '../../domain/workflow/facts.ts'
import type { Move } from '../../domain/workflow/moves.ts'
import type { Launch } from '../../orchestrator/effects.ts'
import type { AgentLook, Look } from './seen-rows.ts'
import type { SupervisedRun } from './supervised-run.ts'

/** Agents that had an open run when this process came, by whether that still goes on. */
export type Recovering = ReadonlyMap<number, { readonly was: Status; readonly isAlive: boolean }>

/** What recovery is done with. */
export interface Means {
  isKnown(run: string): boolean
  supervised(agent: AgentLook, run: string): SupervisedRun
  relaunch(run: SupervisedRun, launch: Launch): void
  activeAt(agent: number, at: number): void
}

/**
 * Looks at every open run: what lives is adopted, what was never started is started, what has ended is told with its record, and what
 * is gone is told as lost. What becomes of the agents follows in the next turn.
 */
export async function recover(look: Look, means: Means): Promise<Recovering> {
  const found = new Map<number, { was: Status; isAlive: boolean }>()
  const runs: SupervisedRun[] = []
  for (const agent of look.agents) {
    const { run: id } = agent.progress
    if (id === null || means.isKnown(id)) continue
    const run = means.supervised(agent, id)
    runs.push(run)
    const isAlive = recoverRun(look, agent, run, means)
    found.set(agent.no, { was: agent.status as Status, isAlive })
  }
  await Promise.all(runs.map(({ settled }) => settled))
  return found
}

function recoverRun(look: Look, agent: AgentLook, run: SupervisedRun, means: Means): boolean {
  const { run_seq, paused_at } = agent.progress
  if (run_seq !== null && run_seq <= look.forked_at) {
    run.over({ is: 'lost' }, 'It runs in the root that this one was forked from.')
    return false
  }
  const found = run.find()
  if (found.is === 'running' || found.is === 'unsure') {
    means.activeAt(agent.no, lastOutput(run))
    run.adopt()
    run.settle(paused_at !== null)
    return true
  }
  const { launch } = run.folder
  if (found.is === 'unstarted' && launch !== undefined) {
    means.relaunch(run, launch)
    return true
  }
  const why = run.folder.exists ? undefined : 'It ran on another machine, or the folder of its run was removed.'
  run.over(found, why)
  return false
}

function lastOutput({ folder }: SupervisedRun): number {
  return statSync(folder.file('output'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** What recovery does, for the log: it stands there before it is done. Undefined where nothing ran. */
export function recoveryMove(
  recovering: Recovering,
  agents: ReadonlyMap<number, AgentLook>,
  moves: readonly Move[],
  server: ServerDied | undefined,
): Move | undefined {
  if (recovering.size === 0) return undefined
  const steps = [...recovering].flatMap(([no, { was, isAlive }]): RecoveryStep[] => {
    if (!agents.has(no)) return []
    if (isAlive) return [{ agent: no, was, cause: 'lost', rung: 'adopt' }]
    const own = moves.filter((move) => 'agent' in move && move.agent === no)
    const exit = own.find((move) => move.move === 'exit')
    return exit === undefined ? [] : stepOf({ agent: no, was, cause: exit.cause }, own)
  })
  return steps.length === 0 ? undefined : { move: 'recovery', steps, ...(server && { server }) }
}

/** What has ended well needs no recovery. */
function stepOf(of: { agent: number; was: Status; cause: Cause }, moves: readonly Move[]): RecoveryStep[] {
  for (const move of moves) {
    if (move.move === 'start') return [{ ...of, rung: move.rung }]
    if (move.move === 'park') return [{ ...of, rung: 'wait', reason: move.why }]
    if (move.move === 'fail' || move.move === 'cancel') return [{ ...of, rung: 'fail', reason: move.reason }]
  }
  return []
}
