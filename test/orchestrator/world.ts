// A root without a log: rows that moves change as the log would, and processes that run by a clock of their own.
import { expect } from 'vitest'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import type { PhaseState } from '../../src/domain/plan/facts.ts'
import { hasEnded, type Status } from '../../src/domain/sessions/lifecycle.ts'
import type { AgentExited } from '../../src/domain/workflow/facts.ts'
import { readWorkflow } from '../../src/domain/workflow/file/read.ts'
import type { Move } from '../../src/domain/workflow/moves.ts'
import { settledAgent } from '../../src/domain/workflow/settled.ts'
import type { Act, Effects } from '../../src/orchestrator/effects.ts'
import type { Planner, Report } from '../../src/orchestrator/planner.ts'
import { RootPlanner } from '../../src/orchestrator/root-planner.ts'
import type { AgentSeen, OpenRun, RootSeen, SharedState } from '../../src/orchestrator/seen.ts'

type Row = { -readonly [Member in keyof AgentSeen]: AgentSeen[Member] }

/** What a process does: how long it runs, and how it ends. */
export interface Script {
  readonly ms: number
  readonly exit: Omit<AgentExited, 'agent' | 'run'>
}

export const ok = (ms = 10): Script => ({ ms, exit: { cause: 'exit', exit_code: 0 } })
export const fails = (ms = 10, code = 1): Script => ({ ms, exit: { cause: 'exit', exit_code: code } })
export const crashes = (ms = 10): Script => ({ ms, exit: { cause: 'crash', signal: 'SIGKILL' } })

interface Process {
  readonly agent: number
  readonly run: string
  readonly endsAt: number
  readonly exit: Script['exit']
  frozenAt: number | undefined
}

/** What each attempt of an agent does; the last of a list is repeated. */
export type Scripts = (id: string, attempt: number) => Script

export class World {
  readonly rows = new Map<number, Row>()
  readonly log: string[] = []
  readonly moves: Move[] = []
  readonly acts: Act[] = []
  readonly processes = new Map<string, Process>()
  root: RootSeen
  state: SharedState = {}
  now = 1_000_000
  planner: Planner
  /** How often each agent was started since its last retry by a person. */
  readonly starts: string[] = []
  readonly completions = new Map<number, number>()
  mostAtOnce = 0
  #runs = 0
  remindAt: number | undefined
  readonly #scripts: Scripts
  readonly #hasResults: boolean

  constructor(file: object, scripts: Scripts = () => ok(), { hasResults = true } = {}) {
    const read = readWorkflow(file, defaultLimits)
    if (read instanceof Refusal) throw new Error(JSON.stringify(read))
    const { workflow, agents } = read
    const phases = (workflow.phases ?? []).map((phase) => ({ ...phase, state: 'planned' as PhaseState }))
    this.root = { status: 'running', workflow, phases, startedAt: this.now }
    this.#scripts = scripts
    this.#hasResults = hasResults
    for (const spec of agents) this.add(spec.id, { spec: settledAgent(spec, workflow) })
    this.planner = this.newPlanner()
  }

  add(id: string, given: Pick<Row, 'spec'> & Partial<Row>): Row {
    const no = this.rows.size + 1
    const row: Row = {
      no,
      parent: 0,
      status: 'created',
      reason: null,
      attempts: 0,
      failures: 0,
      run: undefined,
      rung: undefined,
      exited: undefined,
      parked: undefined,
      woken: undefined,
      told: undefined,
      asked: undefined,
      blockers: [],
      held: false,
      hasResult: false,
      canResume: false,
      canReplay: false,
      used: { tokens: 0, usd: 0 },
      ranMs: 0,
      ...given,
      // The id is said for the reader of a test.
    }
    expect(row.spec.id).toBe(id)
    this.rows.set(no, row)
    return row
  }

  row(id: string): Row {
    const row = [...this.rows.values()].find(({ spec }) => spec.id === id)
    if (row === undefined) throw new Error(`no agent ${id}`)
    return row
  }

  /** Somebody else has changed an agent. */
  set(id: string, to: Partial<Row>): void {
    const row = this.row(id)
    Object.assign(row, to)
    this.planner.see({ ...row })
  }

  setRoot(to: Partial<RootSeen>): void {
    this.root = { ...this.root, ...to }
    this.planner.seeRoot(this.root)
  }

  /** One that knows nothing but the rows, as after a restart. */
  newPlanner(): Planner {
    const planner = new RootPlanner()
    planner.seeRoot(this.root)
    for (const row of this.rows.values()) planner.see({ ...row, run: row.run && { ...row.run } })
    return planner
  }

  /** What the planner is told stands in the rows, too, before it plans. */
  report(report: Report): void {
    this.planner.report(report)
    const row = this.rows.get(report.agent) as Row
    if (row.run === undefined) return
    if (report.move === 'exit') {
      const { move: _, how: __, ...exited } = report
      const ran = (row.run.pausedAt ?? this.now) - row.run.startedAt - row.run.pausedMs
      const hasResult = row.hasResult || report.result !== undefined
      Object.assign(row, { run: undefined, exited, ranMs: row.ranMs + Math.max(0, ran), hasResult })
      return
    }
    const isPaused = report.move === 'paused'
    const stood = row.run.pausedAt === undefined ? 0 : this.now - row.run.pausedAt
    const run: OpenRun = {
      ...row.run,
      pausedMs: row.run.pausedMs + stood,
      ...(isPaused ? { pausedAt: this.now } : { pausedAt: undefined, activeAt: this.now }),
    }
    Object.assign(row, { run, ...(!hasEnded(row.status) && { status: isPaused ? 'paused' : 'running' }) })
  }

  turn(): Effects {
    const first = this.#runs
    const newRun = () => `run-${++this.#runs}`
    const effects = this.planner.turn(this.now, this.state, newRun)
    this.#runs = first + effects.moves.filter(({ move }) => move === 'start').length
    this.remindAt = effects.remindAt
    for (const move of effects.moves) this.#make(move)
    for (const act of effects.acts) this.#do(act)
    this.mostAtOnce = Math.max(this.mostAtOnce, [...this.rows.values()].filter(({ run }) => run !== undefined).length)
    return effects
  }

  /** What a planner that was built from the rows would do now, without doing it. */
  planAnew(): Effects {
    let runs = this.#runs
    return this.newPlanner().turn(this.now, this.state, () => `run-${++runs}`)
  }

  #make(move: Move): void {
    this.moves.push(move)
    if (move.move === 'root') {
      this.root = { ...this.root, status: move.to }
      this.log.push(`root ${move.to}`)
    } else if (move.move === 'phase') {
      const phases = this.root.phases.map((each) => (each.phase === move.phase ? { ...each, state: move.to } : each))
      this.root = { ...this.root, phases }
      this.log.push(`phase ${move.phase} ${move.to}`)
    } else if ('agent' in move && move.agent !== undefined && move.move !== 'checkpoint' && move.move !== 'need') {
      this.#change(this.rows.get(move.agent) as Row, move as Extract<Move, { move: AgentChange }>)
    }
  }

  #change(row: Row, move: Extract<Move, { move: AgentChange }>): void {
    expect(hasEnded(row.status), `${move.move} of ${row.spec.id}, which is ${row.status}`).toBe(false)
    this.log.push(`${row.spec.id} ${move.move}${move.move === 'park' ? ` ${move.why}` : ''}`)
    const again = ['backoff', 'rate_limit', 'pause', 'consent']
    switch (move.move) {
      case 'start': {
        const run = { id: move.run, startedAt: this.now, activeAt: this.now, pausedMs: 0, pausedAt: undefined }
        this.starts.push(row.spec.id)
        Object.assign(row, {
          status: 'running',
          attempts: move.attempt,
          rung: move.rung,
          run,
          told: row.woken ?? row.told,
        })
        Object.assign(row, { exited: undefined, parked: undefined, woken: undefined })
        break
      }
      case 'park': {
        const { move: _, raises: __, ...parked } = move
        const told = again.includes(move.why) ? row.told : undefined
        Object.assign(row, {
          status: 'resumable',
          parked,
          woken: row.woken?.by === 'question' ? row.woken : undefined,
          told,
          failures: move.failures ?? row.failures,
        })
        break
      }
      case 'wake': {
        const text = row.woken?.text
        const repeats = again.includes(move.by) && text === undefined ? row.told : undefined
        const woken = repeats ?? { agent: row.no, by: move.by, ...(text !== undefined && { text }) }
        Object.assign(row, { parked: undefined, woken })
        break
      }
      case 'complete':
        this.completions.set(row.no, (this.completions.get(row.no) ?? 0) + 1)
        row.status = 'completed'
        break
      default: {
        // With a session ends what is below it.
        for (const child of this.rows.values()) {
          if (child.parent === row.no && !hasEnded(child.status)) child.status = 'cancelled'
        }
        const to: Record<string, Status> = { fail: 'failed', skip: 'skipped', cancel: 'cancelled' }
        Object.assign(row, { status: to[move.move], reason: move.reason })
      }
    }
  }

  #do(act: Act): void {
    this.acts.push(act)
    this.log.push(`${act.act} ${this.rows.get(act.agent)?.spec.id}`)
    const running = this.processes.get(act.run)
    switch (act.act) {
      case 'launch': {
        const row = this.rows.get(act.agent) as Row
        const { ms, exit } = this.#scripts(row.spec.id, row.attempts)
        expect(running).toBeUndefined()
        this.processes.set(act.run, {
          agent: act.agent,
          run: act.run,
          endsAt: this.now + ms,
          exit,
          frozenAt: undefined,
        })
        break
      }
      case 'stop':
      case 'interrupt':
        if (running !== undefined) this.end(running, { cause: act.act === 'stop' ? act.why : 'person' })
        break
      default:
        if (running === undefined || (running.frozenAt !== undefined) === (act.act === 'freeze')) return
        if (act.act === 'freeze') this.processes.set(act.run, { ...running, frozenAt: this.now })
        else {
          const endsAt = running.endsAt + this.now - (running.frozenAt as number)
          this.processes.set(act.run, { ...running, endsAt, frozenAt: undefined })
        }
        this.report({ move: act.act === 'freeze' ? 'paused' : 'thawed', agent: act.agent })
    }
  }

  end(process: Process, exit: Process['exit']): void {
    this.processes.delete(process.run)
    const isDone = exit.cause === 'exit' && exit.exit_code === 0
    const result = isDone && this.#hasResults ? { result: { text: 'r', bytes: 1, digest: '' } } : {}
    this.report({
      move: 'exit',
      how: isDone ? 'completed' : 'failed',
      agent: process.agent,
      run: process.run,
      ...exit,
      ...result,
    })
  }

  /** The next thing that happens by itself; false where nothing will. */
  advance(): boolean {
    const ends = [...this.processes.values()].filter(({ frozenAt }) => frozenAt === undefined)
    const times = [...ends.map(({ endsAt }) => endsAt), ...(this.remindAt === undefined ? [] : [this.remindAt])]
    if (times.length === 0) return false
    this.now = Math.max(this.now, Math.min(...times))
    for (const process of ends.filter(({ endsAt }) => endsAt <= this.now)) this.end(process, process.exit)
    return true
  }

  /** Until nothing more happens by itself. */
  run(turns = 10_000): this {
    for (let turn = 0; turn < turns; turn++) {
      const { moves, acts } = this.turn()
      if (hasEnded(this.root.status) && moves.length === 0 && acts.length === 0 && this.processes.size === 0)
        return this
      const hasReports = acts.some(({ act }) => act !== 'launch')
      if (!hasReports && !this.advance() && moves.length === 0) return this
    }
    throw new Error(`no end after ${turns} turns:\n${this.log.slice(-30).join('\n')}`)
  }

  statuses(): Record<string, string> {
    return Object.fromEntries([...this.rows.values()].map(({ spec, status }) => [spec.id, status]))
  }
}

type AgentChange = 'start' | 'park' | 'wake' | 'complete' | 'fail' | 'skip' | 'cancel'
