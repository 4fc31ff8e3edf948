import { systemClock } from '../../clock.ts'
import { secretsOf } from '../../domain/conversations/secret-values.ts'
import { isRefused, Refusal } from '../../domain/log/refusal.ts'
import type { RunEnded } from '../../domain/runs/facts.ts'
import type { Cause } from '../../domain/workflow/facts.ts'
import { adapterOf } from '../../domain/workflow/settled.ts'
import { failpoint } from '../../failpoint.ts'
import { tokenRevoke } from '../../operations/access/token.ts'
import { leaseHeartbeat } from '../../operations/leases/lease.ts'
import type { StopReason } from '../../orchestrator/effects.ts'
import type { Report } from '../../orchestrator/planner.ts'
import type { AgentAdapter, Ending } from '../adapters/adapter.ts'
import { signalOf } from '../adapters/exit-status.ts'
import { agentAdapters } from '../adapters/index.ts'
import { isGroupAlive, membersOf } from '../processes/members.ts'
import type { RunFound } from '../processes/process-watch.ts'
import { RunFolder } from '../processes/run-folder.ts'
import { endProcesses, freeze, interrupt, thaw } from '../processes/signals.ts'
import { type Starting, startAgent } from './agent-start.ts'
import { type Ground, perform, whenReachable } from './ground.ts'
import { Hearing } from './hearing.ts'
import { LiveRun } from './live-run.ts'
import { reasonText, resultLeft } from './result.ts'
import type { RunsHere } from './runs-here.ts'
import { type AgentLook, type Look, specOf, workflowOf } from './seen-rows.ts'

/** What is left behind by a program that has ended has less time. */
const leftBehindMs = 2000
const exitCodeMax = 255

/** Who is told of a run. */
export interface Observer {
  report(report: Report): void
  active(agent: number, at: number): void
}

const howStopped: { readonly [Why in StopReason]: RunEnded['how'] } = {
  timeout: 'timeout',
  idle: 'timeout',
  budget: 'failed',
  person: 'cancelled',
}

/** One open run with its process: what is asked of it is done one after the other, and its end is told once. */
export class SupervisedRun {
  readonly agent: number
  readonly run: string
  readonly folder: RunFolder
  readonly #ground: Ground
  readonly #here: RunsHere
  readonly #root: string
  readonly #observer: Observer
  readonly #adapter: AgentAdapter | undefined
  readonly #live: LiveRun
  readonly #hearing: Hearing
  #acting: Promise<void> = Promise.resolve()
  #stopped: StopReason | undefined
  #interrupted = false
  #isOver = false

  constructor(ground: Ground, here: RunsHere, look: Look, agent: AgentLook, run: string, observer: Observer) {
    this.#ground = ground
    this.#here = here
    this.#root = look.root_session_id
    this.#observer = observer
    this.agent = agent.no
    this.run = run
    this.folder = new RunFolder(ground.home, run)
    this.#adapter = agentAdapters[adapterOf(specOf(agent), workflowOf(look))]
    const reader = this.#adapter?.reader?.(systemClock().now)
    this.#live = new LiveRun(this.folder, reader, ground.log.limits.runOutputBytes)
    this.#hearing = new Hearing(ground, agent.session_id, run, this.#live)
  }

  /** How its process is found now. */
  find(): RunFound {
    const found = this.#live.watch.look()
    return found.is === 'unsure' ? this.#live.watch.look() : found
  }

  /** Its process was started before, or by another. */
  adopt(): void {
    this.#live.skipSeen()
    this.#here.add(this, () => this.#look())
    this.#look()
  }

  launch(starting: Omit<Starting, 'folder' | 'onExit'>): void {
    this.#act(async () => {
      if (this.#isOver) return
      const onExit = () => this.#look()
      const start = () => startAgent(this.#ground, { ...starting, folder: this.folder, onExit })
      const started = await whenReachable(this.#ground, start, this.#isLeft)
      if (started instanceof Refusal) return this.#end({ how: 'failed', cause: 'crash', reason: started.message })
      this.adopt()
    })
  }

  stop(why: StopReason): void {
    this.#stopped ??= why
    this.#act(async () => {
      if (this.#isOver) return
      if (this.folder.exists && !this.folder.preventStart()) {
        const { shim } = this.#live.watch
        await endProcesses(this.folder, shim, this.#graceMs)
      }
      const found = this.find()
      await this.#finish(found.is === 'ended' ? found : { is: 'lost' })
    })
  }

  /** One that does not end by itself is stopped. */
  interrupt(): void {
    this.#act(async () => {
      if (this.#isOver) return
      this.#interrupted = true
      interrupt(this.run, this.#live.watch.shim)
      const timer = setTimeout(() => this.stop('person'), this.#graceMs)
      timer.unref()
    })
  }

  stand(still: boolean): void {
    this.#act(async () => {
      const { shim } = this.#live.watch
      if (this.#isOver || shim === undefined) return
      await (still ? freeze(this.run, shim) : thaw(this.run, shim))
      this.#observer.report({ move: still ? 'paused' : 'thawed', agent: this.agent })
    })
  }

  /** A crash may have come between a signal and its record: the processes stand still exactly if the log says so. */
  settle(still: boolean): void {
    this.#act(async () => {
      const { shim } = this.#live.watch
      if (shim !== undefined) await (still ? freeze(this.run, shim) : thaw(this.run, shim))
    })
  }

  /** Tells that it is over, however it was found. */
  over(found: RunFound, why?: string): void {
    this.#act(() => this.#finish(found, why))
  }

  /** Its agent can go on writing. */
  async keepRights(): Promise<void> {
    const { token, session } = this.folder.intent ?? {}
    const [name, held] = token?.lease.split(':') ?? []
    if (name === undefined || held === undefined || session === undefined) return
    await perform(this.#ground, leaseHeartbeat, { session, name, token: held })
  }

  /** Another supervises it from now on. */
  leave(): void {
    this.#isOver = true
    this.#here.drop(this)
  }

  /** When all that was asked of it so far is done. */
  get settled(): Promise<void> {
    return this.#acting
  }

  get #graceMs(): number {
    return this.#ground.log.limits.stopGraceMs
  }

  readonly #isLeft = (): boolean => this.#isOver

  #act(act: () => Promise<void>): void {
    this.#acting = this.#acting.then(act).catch((error: unknown) => {
      if (isRefused(error, 'fenced')) return this.leave()
      this.#ground.report('run', error)
      return this.#end({ how: 'failed', cause: 'crash', reason: (error as Error).message })
    })
  }

  #look(): void {
    if (this.#isOver) return
    const { found, isActive, heard } = this.#live.look()
    if (isActive) this.#observer.active(this.agent, systemClock().now())
    this.#hearing.take(heard)
    if (found.is !== 'ended' && found.is !== 'lost') return
    // Its end is told once.
    this.#here.drop(this)
    if (this.#stopped === undefined) this.over(found)
  }

  /** Nothing of it runs any more when its end is told. */
  async #finish(found: RunFound, why?: string): Promise<void> {
    if (this.#isOver) return
    const { shim } = this.#live.watch
    // A shim that was gone before anybody saw it has no group to ask for: then all are looked at for the mark of the run.
    const isKnown = found.is === 'ended' && shim !== undefined
    const isLeft = isKnown ? isGroupAlive(shim) : membersOf(this.run, shim).length > 0
    if (isLeft) await endProcesses(this.folder, shim, leftBehindMs)
    this.#hearing.take(this.#live.look().heard)
    await this.#hearing.recorded
    if (found.is === 'ended') {
      const status = Math.min(found.status, exitCodeMax)
      return this.#end(this.#endingOf(status), status)
    }
    const reason = why ?? 'It was killed, or its machine went down.'
    await this.#end(this.#stopping({ how: 'crashed', cause: 'crash', reason }))
  }

  #endingOf(status: number): Ending {
    const ending = this.#adapter?.ending({ status, tail: this.#live.tail, now: systemClock().now() })
    const told = ending ?? { how: 'failed', cause: 'exit' }
    const { retryAt } = this.#live
    if (this.#interrupted && status !== 0) return { how: 'cancelled', cause: 'person' }
    return this.#stopping(
      retryAt === undefined || status === 0 ? told : { ...told, cause: 'rate_limit', retry_at: retryAt },
    )
  }

  /** What was ended from outside has ended for that reason. */
  #stopping(ending: Ending): Ending {
    if (this.#stopped === undefined) return ending
    const { reason } = ending
    return {
      how: howStopped[this.#stopped],
      cause: this.#stopped satisfies Cause,
      ...(reason !== undefined && { reason }),
    }
  }

  async #end({ how, cause, reason, retry_at }: Ending, status?: number): Promise<void> {
    if (this.#isOver) return
    const secrets = secretsOf(this.#ground.environment)
    const { folder, run, agent } = this
    const left = () => resultLeft(this.#ground, this.#root, folder, this.#live.said, secrets)
    const result = await whenReachable(this.#ground, left, this.#isLeft)
    failpoint('run-exit')
    this.leave()
    const signal = status === undefined ? undefined : signalOf(status)
    this.#observer.report({
      move: 'exit',
      how,
      agent,
      run,
      cause,
      ...(status !== undefined && { exit_code: status }),
      ...(signal !== undefined && { signal }),
      ...(reason !== undefined && { reason: reasonText(reason, secrets) }),
      ...(retry_at !== undefined && { retry_at }),
      ...(result !== undefined && { result }),
    })
    // The token of a run that was lost stays: whoever still has it is told that it was fenced.
    const { token } = folder.exists ? (folder.intent ?? {}) : {}
    if (token !== undefined && status !== undefined) {
      await perform(this.#ground, tokenRevoke, { id: token.id }).catch(() => undefined)
    }
  }
}
