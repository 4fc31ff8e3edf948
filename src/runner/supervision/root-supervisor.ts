import { elapsed, sleep, systemClock } from '../../clock.ts'
import { isRefused } from '../../domain/log/refusal.ts'
import { hasEnded } from '../../domain/sessions/lifecycle.ts'
import type { ServerDied } from '../../domain/workflow/facts.ts'
import type { Move } from '../../domain/workflow/moves.ts'
import { workflowLook } from '../../operations/workflow/look.ts'
import type { Act, Launch } from '../../orchestrator/effects.ts'
import type { Planner, Report } from '../../orchestrator/planner.ts'
import { RunFolder } from '../processes/run-folder.ts'
import { type Ground, isPassing, perform } from './ground.ts'
import { OrchestratorLease } from './orchestrator-lease.ts'
import { recordMoves, sharedState } from './recording.ts'
import { type Recovering, recover, recoveryMove } from './recovery.ts'
import { RootEvents } from './root-events.ts'
import type { RunsHere } from './runs-here.ts'
import { type AgentLook, agentSeen, type Look, rootSeen } from './seen-rows.ts'
import { type Observer, SupervisedRun } from './supervised-run.ts'
import { Wakeup } from './wakeup.ts'

/** After what went wrong it is tried again. */
const againMs = 1000
/** A lease that is held elsewhere is asked for no more often than this, and no less. */
const claimMs = { min: 500, max: 5000 }
/** Leases of runs are kept alive this often: they are held for a day. */
const rightsMs = 6 * 3_600_000

/** Whether a run was begun. */
type Begun = (run: string) => boolean

/**
 * Runs the workflow of one root, for as long as it holds the lease for that: what the planner asks for is recorded, then done; what is
 * found is told to the planner. Everything it knows is in the log, so that it can be killed at any moment.
 */
export class RootSupervisor implements Observer {
  readonly root: string
  readonly ended: Promise<void>
  readonly #ground: Ground
  readonly #here: RunsHere
  readonly #wakeup = new Wakeup()
  readonly #stopping = new AbortController()
  readonly #runs = new Map<string, SupervisedRun>()
  readonly #agents = new Map<number, AgentLook>()
  readonly #activity = new Map<number, number>()
  #reports: Report[] = []
  #look: Look | undefined
  #planner: Planner | undefined
  #recovering: Recovering | undefined
  #outage: ServerDied | undefined
  #isFeedLost = false
  #rightsAt = elapsed()

  constructor(ground: Ground, here: RunsHere, root: string) {
    this.#ground = ground
    this.#here = here
    this.root = root
    this.ended = this.#run()
  }

  /** Agents go on: whoever comes next adopts them. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wakeup.wake()
    await this.ended
  }

  report(report: Report): void {
    this.#reports.push(report)
    this.#wakeup.wake()
  }

  active(agent: number, at: number): void {
    this.#activity.set(agent, at)
    this.#planner?.active(agent, at)
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      try {
        if (await this.#holdLease()) return
      } catch (error) {
        if (isRefused(error, 'session_not_found', 'not_found')) return this.#leaveAll()
        if (!this.#isStopping) this.#ground.report('supervision', error)
        await sleep(againMs, this.#stopping.signal)
      }
    }
    this.#leaveAll()
  }

  /** Says whether nothing is left to do here. */
  async #holdLease(): Promise<boolean> {
    const lease = await OrchestratorLease.claim(this.#ground, this.root, () => this.#keepRights())
    if (!(lease instanceof OrchestratorLease)) {
      const ms = Number(lease.details.expires_in_ms)
      await sleep(Math.min(Math.max(ms, claimMs.min), claimMs.max), this.#stopping.signal)
      return false
    }
    try {
      await this.#supervise(lease)
      await lease.release()
      return !this.#isStopping
    } catch (error) {
      await lease.release()
      if (!isRefused(error, 'fenced')) throw error
      await this.#handOver()
      return false
    }
  }

  /** Another has taken over: on this machine it has adopted what runs; from elsewhere it cannot, and so nothing may go on. */
  async #handOver(): Promise<void> {
    const { isHere } = await OrchestratorLease.holder(this.#ground, this.root)
    if (!isHere) {
      for (const run of this.#runs.values()) run.stop('person')
      await Promise.all([...this.#runs.values()].map(({ settled }) => settled))
    }
    this.#leaveAll()
  }

  #leaveAll(): void {
    for (const run of this.#runs.values()) run.leave()
    this.#runs.clear()
    this.#reports = []
    this.#planner = undefined
  }

  async #supervise(lease: OrchestratorLease): Promise<void> {
    const following = new AbortController()
    try {
      const events = await this.#begin(following)
      for (;;) {
        if (this.#isFeedLost) throw new Error('the feed has ended')
        const remindAt = await this.#turn(lease, events)
        if (this.#isStopping || this.#isDone) return
        const ms = remindAt === undefined ? Number.POSITIVE_INFINITY : remindAt - systemClock().now()
        await this.#wakeup.sleep(ms)
        if (this.#isStopping) return
      }
    } finally {
      following.abort()
    }
  }

  get #isDone(): boolean {
    return hasEnded(this.#look?.status ?? '') && this.#runs.size === 0 && this.#reports.length === 0
  }

  /** Follows what happens from now on; what was before is seen in the first turn. */
  async #begin(following: AbortController): Promise<RootEvents> {
    this.#planner = undefined
    this.#isFeedLost = false
    const { seq } = await this.#lookAt([])
    const events = new RootEvents()
    void this.#follow(seq, events, following.signal)
    return events
  }

  async #follow(since: number, events: RootEvents, signal: AbortSignal): Promise<void> {
    const { log, caller } = this.#ground
    try {
      for await (const event of log.follow(this.root, { since, signal }, caller)) {
        events.take(event)
        const { session_no: by, stream } = event
        // What an agent writes shows that it works; what is recorded of it does not.
        if (by !== 0 && !stream.startsWith('session/')) this.active(by, Date.parse(event.at))
        if (event.type.startsWith('blocker_')) {
          for (const { no, blockers } of this.#agents.values()) if (blockers.length > 0) events.agents.add(no)
        }
        this.#wakeup.wake()
      }
    } catch (error) {
      if (!signal.aborted) this.#ground.report('feed', error)
    }
    this.#isFeedLost = !signal.aborted
    this.#wakeup.wake()
  }

  async #lookAt(agents?: readonly number[]): Promise<Look> {
    const look = await perform(this.#ground, workflowLook, {
      session: this.root,
      ...(agents !== undefined && { agents: [...agents] }),
    })
    this.#look = look
    for (const agent of look.agents) this.#agents.set(agent.no, agent)
    return look
  }

  /** Brings the planner up to date with what has happened; a new one sees everything. */
  async #see(events: RootEvents): Promise<Planner> {
    const known = this.#planner
    if (known !== undefined && !events.any) return known
    const numbers = [...events.agents]
    events.agents.clear()
    events.root = false
    const look = await this.#lookAt(known === undefined ? undefined : numbers)
    if (known === undefined) await this.#recover(look)
    const planner = known ?? this.#ground.newPlanner()
    planner.seeRoot(rootSeen(look))
    for (const agent of look.agents) planner.see(agentSeen(look, agent, this.#activity.get(agent.no) ?? 0))
    this.#planner = planner
    return planner
  }

  /** Open runs that this process does not know were begun before it came, or by a step that nobody knows the outcome of. */
  async #recover(look: Look): Promise<void> {
    this.#outage = this.#ground.outage?.of(look)
    this.#recovering = await recover(look, {
      isKnown: (run) => this.#runs.has(run) || this.#reports.some((report) => 'run' in report && report.run === run),
      supervised: (agent, run) => this.#supervised(agent, run),
      relaunch: (run, launch) => this.#launch(run, launch),
      activeAt: (agent, at) => this.#activity.set(agent, at),
    })
  }

  /** One round: what was found goes into the log with what follows from it, and is done after that. Gives when to look again. */
  async #turn(lease: OrchestratorLease, events: RootEvents): Promise<number | undefined> {
    const planner = await this.#see(events)
    const state = await sharedState(this.#ground, this.root, planner.keysWatched)
    const reports = this.#reports.splice(0)
    for (const report of reports) planner.report(report)
    const { now, id } = systemClock()
    const { moves, acts, remindAt } = planner.turn(now(), state, () => `run_${id()}`)
    for (const act of acts) if (act.act === 'launch') this.#intend(act)
    const recovered =
      this.#recovering && recoveryMove(this.#recovering, this.#agents, [...reports, ...moves], this.#outage)
    this.#recovering = undefined
    const all: Move[] = [...(recovered === undefined ? [] : [recovered]), ...reports, ...moves]
    const isBegun = await this.#record(lease, all, reports)
    for (const act of acts) if (act.act !== 'launch' || isBegun(act.run)) this.#do(act)
    return remindAt
  }

  /** Gives the runs that stand in the log by it. Where nobody knows what became of it, what was found is told again later. */
  async #record(lease: OrchestratorLease, moves: readonly Move[], reports: readonly Report[]): Promise<Begun> {
    if (moves.length === 0) return () => true
    try {
      const { isStale, unstarted } = await recordMoves(this.#ground, this.root, lease.fence, moves)
      if (moves.some(({ move }) => move === 'recovery')) this.#ground.outage?.told(this.root)
      if (isStale) this.#forget()
      return (run) => !unstarted.has(run)
    } catch (error) {
      this.#forget()
      this.#reports.unshift(...reports)
      if (!isPassing(error)) throw error
      this.#ground.report('store', error)
      await sleep(againMs, this.#stopping.signal)
      return () => false
    }
  }

  /** Everything is looked at anew in the next turn. */
  #forget(): void {
    this.#planner = undefined
    this.#wakeup.wake()
  }

  /** How it is to be launched is known before the log says that it is: a crash between the two loses nothing. */
  #intend(launch: Launch): void {
    const folder = new RunFolder(this.#ground.home, launch.run)
    folder.make()
    folder.launch = launch
  }

  #do(act: Act): void {
    const run = this.#supervisedNow(act.agent, act.run)
    if (act.act === 'launch') this.#launch(run, act)
    else if (act.act === 'stop') run.stop(act.why)
    else if (act.act === 'interrupt') run.interrupt()
    else run.stand(act.act === 'freeze')
  }

  #launch(run: SupervisedRun, wanted: Launch): void {
    run.launch({ root: this.root, wanted })
  }

  #supervisedNow(agent: number, run: string): SupervisedRun {
    const known = this.#runs.get(run)
    const looked = this.#agents.get(agent)
    if (looked === undefined) throw new Error(`there is no agent ${agent} below ${this.root}`)
    return known ?? this.#supervised(looked, run)
  }

  #supervised(agent: AgentLook, run: string): SupervisedRun {
    const observer: Observer = {
      active: (no, at) => this.active(no, at),
      report: (report) => {
        if (report.move === 'exit') this.#runs.delete(run)
        this.report(report)
      },
    }
    const supervised = new SupervisedRun(this.#ground, this.#here, this.#look as Look, agent, run, observer)
    this.#runs.set(run, supervised)
    return supervised
  }

  #keepRights(): void {
    if (elapsed() - this.#rightsAt < rightsMs) return
    this.#rightsAt = elapsed()
    for (const run of this.#runs.values()) run.keepRights().catch((error) => this.#ground.report('rights', error))
  }
}
