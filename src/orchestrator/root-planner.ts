import { Refusal } from '../domain/log/refusal.ts'
import { type Condition, keysIn } from '../domain/workflow/condition/condition.ts'
import { parseCondition } from '../domain/workflow/condition/parse.ts'
import { isOver } from './agent.ts'
import { Board } from './board.ts'
import type { Effects } from './effects.ts'
import { type End, endOfAll, endRoot } from './ending.ts'
import { nextStep } from './next-step.ts'
import { advancePhases } from './phases.ts'
import type { Planner, Report } from './planner.ts'
import { fillRoom } from './readiness.ts'
import type { AgentSeen, RootSeen, SharedState, Used } from './seen.ts'
import { Turn } from './turn.ts'

/** Whoever asks later than this after the time that was named has slept, as a laptop does: the agents have, too. */
const sleptMs = 60_000

/** The planner of one root: what was seen since the last turn is worked on in the next, and nothing else. */
export class RootPlanner implements Planner {
  readonly #board = new Board()
  readonly #conditions = new Map<number, Condition>()
  #reports: Report[] = []
  #all: End | undefined
  #remindAt: number | undefined
  #lastTurn = 0
  #keys: readonly string[] | undefined

  seeRoot(root: RootSeen): void {
    this.#board.seeRoot(root)
    this.#keys = undefined
    for (const { phase, when } of root.phases) {
      if (when === undefined || this.#conditions.has(phase)) continue
      const condition = parseCondition(when)
      // It was read when it was submitted; one that cannot be read any more holds nobody up for ever.
      this.#conditions.set(phase, condition instanceof Refusal ? { kind: 'value', value: false } : condition)
    }
  }

  see(agent: AgentSeen): void {
    this.#board.see(agent)
  }

  report(report: Report): void {
    this.#reports.push(report)
  }

  active(no: number, at: number): void {
    const run = this.#board.agents.get(no)?.run
    if (run !== undefined && at > run.activeAt) run.activeAt = at
  }

  used(no: number, used: Used): void {
    const agent = this.#board.agents.get(no)
    if (agent !== undefined) this.#board.change(agent, { used })
  }

  get keysWatched(): readonly string[] {
    this.#keys ??= [...new Set(this.#awaited().flatMap(keysIn))]
    return this.#keys
  }

  #awaited(): Condition[] {
    return [...this.#conditions].flatMap(([phase, condition]) => {
      const state = this.#board.stretches.get(phase)?.phase.state
      return state === 'planned' || state === 'skipped' ? [condition] : []
    })
  }

  turn(now: number, state: SharedState, newRun: () => string): Effects {
    const board = this.#board
    if (this.#remindAt !== undefined && now - this.#remindAt > sleptMs) this.#skipSleep(now - this.#lastTurn)
    this.#lastTurn = now
    board.settle()
    const turn = new Turn({ board, now, state, conditions: this.#conditions, newRun })
    for (const report of this.#reports.splice(0)) {
      const agent = board.agents.get(report.agent)
      if (agent !== undefined) turn.take(agent, report)
    }
    // What is not started yet waits for a person, who starts it.
    if (board.root !== undefined && board.root.status !== 'created') this.#work(turn)
    if (turn.moves.some(({ move }) => move === 'phase')) this.#keys = undefined
    this.#remindAt = this.#nextTime(now)
    const { moves, acts } = turn
    return { moves, acts, ...(this.#remindAt !== undefined && { remindAt: this.#remindAt }) }
  }

  #work(turn: Turn): void {
    const { timers } = this.#board
    for (let due = timers.first; due !== undefined && due.at <= turn.now; due = timers.first) {
      timers.pop()
      if (due.agent.due !== due.at) continue
      due.agent.due = undefined
      this.#board.touch(due.agent)
    }
    do {
      this.#lookAtAll(turn)
      for (let agent = this.#board.nextChanged(); agent !== undefined; agent = this.#board.nextChanged()) {
        nextStep(turn, agent, this.#all)
        this.#lookAtAll(turn)
      }
    } while (advancePhases(turn))
    fillRoom(turn)
    // What was started has limits from now on.
    for (let agent = this.#board.nextChanged(); agent !== undefined; agent = this.#board.nextChanged()) {
      nextStep(turn, agent, this.#all)
    }
    endRoot(turn)
  }

  /** What ends everything concerns every agent. */
  #lookAtAll(turn: Turn): void {
    const all = endOfAll(turn)
    if (all?.why !== this.#all?.why) this.#board.touchAll()
    this.#all = all
  }

  #nextTime(now: number): number | undefined {
    const { timers, root } = this.#board
    while (timers.first !== undefined && timers.first.agent.due !== timers.first.at) timers.pop()
    const wall = root?.workflow.budget?.wall
    const isOpen = root?.status === 'running' && this.#board.open > 0
    const end = wall === undefined || !isOpen || this.#all !== undefined ? undefined : root.startedAt + wall
    const times = [timers.first?.at, end].filter((at) => at !== undefined)
    return times.length === 0 ? undefined : Math.max(Math.min(...times), now)
  }

  /** The agents stood still as well; nobody knows for how much of the time, and so none of it counts. */
  #skipSleep(ms: number): void {
    for (const agent of this.#board.agents.values()) {
      const { run } = agent
      if (run === undefined || isOver(agent) || run.pausedAt !== undefined) continue
      run.pausedMs += ms
      run.activeAt += ms
      this.#board.touch(agent)
    }
  }
}
