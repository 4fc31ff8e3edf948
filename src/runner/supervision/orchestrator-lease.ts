import { orchestratorLease } from '../../domain/leases/orchestrator.ts'
import { type CairnRefusal, isRefused } from '../../domain/log/refusal.ts'
import { holderHere, hostOfHolder, isHolderGone } from '../../home/lease-holder.ts'
import { hostHere } from '../../home/process-life.ts'
import { leaseClaim, leaseHeartbeat, leaseList, leaseRelease } from '../../operations/leases/lease.ts'
import { type Ground, perform } from './ground.ts'

/** Two of them may be lost before it runs out. */
const heartbeats = 3

/** Makes this process the one that supervises a root. What it records is refused once another has taken over. */
export class OrchestratorLease {
  readonly #ground: Ground
  readonly #root: string
  readonly #token: string
  readonly #timer: ReturnType<typeof setInterval>

  private constructor(ground: Ground, root: string, token: string, beat: () => void) {
    this.#ground = ground
    this.#root = root
    this.#token = token
    this.#timer = setInterval(() => void this.#beat().then(beat), ground.log.limits.runnerLeaseMs / heartbeats)
  }

  /** From a process of this host that is gone it is taken over at once. Else a refusal is given, which says for how long it is held. */
  static async claim(ground: Ground, root: string, beat: () => void): Promise<OrchestratorLease | CairnRefusal> {
    const holder = holderHere('cairn')
    const asked = { session: root, name: orchestratorLease, ttl: `${ground.log.limits.runnerLeaseMs}ms`, holder }
    try {
      const claimed = await perform(ground, leaseClaim, asked).catch((error: unknown) => {
        if (!isRefused(error, 'held_by_other') || !isHolderGone(String(error.details.holder))) throw error
        return perform(ground, leaseClaim, { ...asked, reclaim: true })
      })
      return new OrchestratorLease(ground, root, claimed.token, beat)
    } catch (error) {
      if (isRefused(error, 'held_by_other')) return error
      throw error
    }
  }

  /** What every record under it carries. */
  get fence(): string {
    return `${orchestratorLease}:${this.#token}`
  }

  /** Whoever holds it now, where that is not this process: its machine. */
  static async holder(ground: Ground, root: string): Promise<{ host: string | undefined; isHere: boolean }> {
    const { leases } = await perform(ground, leaseList, { session: root })
    const holder = leases.find(({ name }) => name === orchestratorLease)?.holder ?? ''
    const host = hostOfHolder(String(holder))
    return { host, isHere: host === undefined || host === hostHere() }
  }

  async release(): Promise<void> {
    this.stop()
    const held = { session: this.#root, name: orchestratorLease, token: this.#token }
    await perform(this.#ground, leaseRelease, held).catch(() => undefined)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** One that fails is tried again with the next; whoever lost the lease hears of it. */
  async #beat(): Promise<void> {
    const held = { session: this.#root, name: orchestratorLease, token: this.#token }
    await perform(this.#ground, leaseHeartbeat, held).catch((error: unknown) => {
      if (!isRefused(error, 'fenced')) this.#ground.report('heartbeat', error)
    })
  }
}
