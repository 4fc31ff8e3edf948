import { contextLease } from '../../domain/conversations/writer.ts'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import type { ContextStore } from './cairn-repository.ts'

/** How long a writer that has gone silent keeps others out. */
const ttlMs = 30_000
/** Two heartbeats may be lost. */
const heartbeatMs = 10_000

export interface Claiming {
  /** Who writes, as others are told. */
  readonly holder?: string | undefined
  /** Also what an earlier writer of this session still holds: whatever that writes from now on is refused. */
  readonly takeOver?: boolean | undefined
}

/** Makes its holder the one writer of a conversation, for as long as it lives. */
export class WriterLease {
  readonly instanceId: string
  readonly #lease: ContextStore['lease']
  readonly #claimed: { name: string; token: string }
  readonly #timer: ReturnType<typeof setInterval>

  private constructor(lease: ContextStore['lease'], instanceId: string, claimed: { name: string; token: string }) {
    this.instanceId = instanceId
    this.#lease = lease
    this.#claimed = claimed
    this.#timer = setInterval(() => void this.#beat(), heartbeatMs)
    // A program that has nothing else to do ends; pages have no such timers.
    ;(this.#timer as { unref?(): void }).unref?.()
  }

  static async claim(
    { lease }: ContextStore,
    instanceId: string,
    { holder, takeOver = false }: Claiming,
  ): Promise<WriterLease> {
    const name = contextLease(instanceId)
    const asked = { session: instanceId, name, ttl: `${ttlMs}ms`, ...(holder !== undefined && { holder }) }
    const { token } = await lease.claim({ ...asked, ...(takeOver && { reclaim: true }) }).catch(withHint)
    return new WriterLease(lease, instanceId, { name, token })
  }

  /** What every write under it carries. */
  get fence(): string {
    return `${this.#claimed.name}:${this.#claimed.token}`
  }

  /** Also when it was lost: then there is nothing to release. */
  async release(): Promise<void> {
    clearInterval(this.#timer)
    await this.#lease.release({ session: this.instanceId, ...this.#claimed }).catch(unlessFenced)
  }

  /** A heartbeat that fails is tried again with the next; whoever lost the lease is told so when it writes. */
  async #beat(): Promise<void> {
    await this.#lease.heartbeat({ session: this.instanceId, ...this.#claimed }).catch((error: unknown) => {
      if (isCode(error, 'fenced')) clearInterval(this.#timer)
    })
  }
}

function isCode(error: unknown, code: CairnRefusal['code']): error is CairnRefusal {
  return error instanceof CairnRefusal && error.code === code
}

function unlessFenced(error: unknown): void {
  if (!isCode(error, 'fenced')) throw error
}

function withHint(error: unknown): never {
  if (!isCode(error, 'held_by_other')) throw error
  const message = `Another writer has this conversation: ${error.message}`
  const hint = 'Wait until it is done, or take over with takeOver: true if you know that it is gone.'
  throw new CairnRefusal(refuse('held_by_other', message, hint, error.details))
}
