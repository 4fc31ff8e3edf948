import { isRefused } from '../../domain/log/refusal.ts'
import { contextAppend } from '../../operations/conversations/append.ts'
import { runReport } from '../../operations/runs/run.ts'
import type { Heard } from '../adapters/adapter.ts'
import { type Ground, perform } from './ground.ts'
import type { LiveRun } from './live-run.ts'

/** Records what the output of an agent tells, in its order. */
export class Hearing {
  readonly #ground: Ground
  readonly #session: string
  readonly #run: string
  readonly #live: LiveRun
  #recording: Promise<void> = Promise.resolve()

  constructor(ground: Ground, session: string, run: string, live: LiveRun) {
    this.#ground = ground
    this.#session = session
    this.#run = run
    this.#live = live
  }

  /** When all that was heard so far is in the log. */
  get recorded(): Promise<void> {
    return this.#recording
  }

  take(heard: readonly Heard[]): void {
    if (heard.length === 0) return
    const { place } = this.#live
    this.#recording = this.#recording.then(async () => {
      for (const [at, each] of heard.entries())
        await this.#record(each, `${this.#run}/${place}/${at}`).catch(this.#failed)
      this.#live.keepPlace()
    })
  }

  async #record(heard: Heard, request: string): Promise<void> {
    const [ground, session, run] = [this.#ground, this.#session, this.#run]
    switch (heard.tells) {
      case 'message':
        // What is heard again after a crash is the same request.
        await perform(ground, contextAppend, { ...heard.message, session, request_id: request } as never)
        break
      case 'usage':
        await perform(ground, runReport, { session, run, ...heard.usage })
        break
      case 'provider session':
        await perform(ground, runReport, { session, run, provider_session_id: heard.id })
        break
      case 'result':
        this.#live.said = heard.text
        break
      case 'rate limit':
        this.#live.retryAt = heard.retryAt
    }
  }

  /** What cannot be recorded ends nobody's work. */
  readonly #failed = (error: unknown): void => {
    if (!isRefused(error, 'session_ended', 'illegal_transition')) this.#ground.report('output', error)
  }
}
