import type { Status } from '../domain/sessions/lifecycle.ts'
import type { Condition } from '../domain/workflow/condition/condition.ts'
import type { AgentParked, Parking, Rung } from '../domain/workflow/facts.ts'
import type { Move, RaisedNeed } from '../domain/workflow/moves.ts'
import { again } from '../domain/workflow/progress.ts'
import { type Agent, elapsed, isOver } from './agent.ts'
import type { Board, Stretch } from './board.ts'
import type { Act, StopReason } from './effects.ts'
import type { Report } from './planner.ts'
import type { SharedState } from './seen.ts'

export interface TurnSetting {
  readonly board: Board
  readonly now: number
  readonly state: SharedState
  readonly conditions: ReadonlyMap<number, Condition>
  readonly newRun: () => string
}

/** What is asked for in one turn. Each move is also made on the board, so that what follows from it is seen in the same turn. */
export class Turn implements TurnSetting {
  readonly board: Board
  readonly now: number
  readonly state: SharedState
  readonly conditions: ReadonlyMap<number, Condition>
  readonly newRun: () => string
  readonly moves: Move[] = []
  readonly acts: Act[] = []

  constructor({ board, now, state, conditions, newRun }: TurnSetting) {
    this.board = board
    this.now = now
    this.state = state
    this.conditions = conditions
    this.newRun = newRun
  }

  /** What was found stands in the log before the moves of this turn. */
  take(agent: Agent, report: Report): void {
    const { run } = agent
    if (run === undefined || ('run' in report && report.run !== run.id)) return
    const isPaused = report.move === 'paused'
    if (report.move === 'exit') {
      const { move: _, how: __, ...exited } = report
      const ranMs = agent.ranMs + elapsed(run, this.now)
      const hasResult = agent.hasResult || report.result !== undefined
      this.board.change(agent, { run: undefined, exited, ranMs, hasResult })
      agent.acted = {}
    } else if (isPaused !== (run.pausedAt !== undefined)) {
      const stood = run.pausedAt === undefined ? 0 : this.now - run.pausedAt
      const pausing = isPaused ? { pausedAt: this.now } : { pausedAt: undefined, activeAt: this.now }
      const status =
        agent.status === 'running' || agent.status === 'paused' ? (isPaused ? 'paused' : 'running') : agent.status
      this.board.change(agent, { status, run: { ...run, pausedMs: run.pausedMs + stood, ...pausing } })
    }
  }

  start(agent: Agent, rung: Rung): void {
    const { no, spec, told, woken, attempts } = agent
    const run = this.newRun()
    const attempt = attempts + 1
    const model = spec.profile?.model
    const made = model === undefined ? {} : { model }
    this.moves.push({ move: 'start', agent: no, run, rung, attempt, adapter: spec.adapter, ...made })
    this.board.change(agent, {
      status: 'running',
      reason: null,
      attempts: attempt,
      run: { id: run, startedAt: this.now, activeAt: this.now, pausedMs: 0, pausedAt: undefined },
      rung,
      exited: undefined,
      parked: undefined,
      woken: undefined,
      told: woken ?? told,
    })
    agent.acted = {}
  }

  complete(agent: Agent): void {
    this.moves.push({ move: 'complete', agent: agent.no })
    this.#end(agent, 'completed', null)
    this.moves.push({ move: 'checkpoint', why: 'agent', agent: agent.no })
  }

  end(agent: Agent, move: 'fail' | 'skip' | 'cancel', reason: string): void {
    this.moves.push({ move, agent: agent.no, reason })
    const status = { fail: 'failed', skip: 'skipped', cancel: 'cancelled' } as const
    this.#end(agent, status[move], reason)
    if (move !== 'fail') return
    const text = `${agent.spec.id} failed: ${reason}`
    this.moves.push({ move: 'need', agent: agent.no, raises: { kind: 'failed', text, actions: ['retry'] } })
  }

  /** With a session the log ends all that is unfinished below it. */
  #end(agent: Agent, status: Status, reason: string | null): void {
    this.board.change(agent, { status, reason })
    for (const child of agent.children) {
      if (!isOver(child)) this.#end(child, 'cancelled', `${agent.spec.id} has ended`)
    }
  }

  park(agent: Agent, waiting: Omit<AgentParked, 'agent'>, raises?: RaisedNeed): void {
    const parked: AgentParked = { agent: agent.no, ...waiting }
    this.moves.push({ move: 'park', ...parked, ...(raises !== undefined && { raises }) })
    this.board.change(agent, {
      status: 'resumable',
      reason: null,
      parked,
      failures: parked.failures ?? agent.failures,
      woken: agent.woken?.by === 'question' ? agent.woken : undefined,
      told: again.has(parked.why) ? agent.told : undefined,
    })
  }

  wake(agent: Agent, by: Parking): void {
    const woken = { agent: agent.no, by }
    this.moves.push({ move: 'wake', ...woken })
    const text = agent.woken?.text
    const repeats = again.has(by) && text === undefined ? agent.told : undefined
    this.board.change(agent, { parked: undefined, woken: repeats ?? { ...woken, ...(text !== undefined && { text }) } })
  }

  need(agent: Agent, raises: RaisedNeed): void {
    this.moves.push({ move: 'need', agent: agent.no, raises })
  }

  phase(stretch: Stretch, to: 'running' | 'completed' | 'failed' | 'skipped', reason?: string): void {
    const { phase } = stretch.phase
    this.moves.push({ move: 'phase', phase, to, ...(reason !== undefined && { reason }) })
    this.board.enter(stretch, { ...stretch.phase, state: to })
  }

  checkpoint(why: 'phase' | 'recovery', about: { readonly phase: number } | { readonly agent: number }): void {
    this.moves.push({ move: 'checkpoint', why, ...about })
  }

  /** A stop goes before everything else that was asked of a run. */
  stop(agent: Agent, why: StopReason): void {
    if (agent.run === undefined || agent.acted.stopped !== undefined) return
    agent.acted.stopped = why
    this.acts.push({ act: 'stop', agent: agent.no, run: agent.run.id, why })
  }
}
