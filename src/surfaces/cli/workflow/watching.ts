import type { LocalPerformer } from '../../../client/local.ts'
import { sleep, systemClock } from '../../../clock.ts'
import { logFollow } from '../../../operations/log/follow.ts'
import { sessionStatus } from '../../../operations/workflow/status.ts'
import type { Progress } from './progress.ts'
import type { StatusShown } from './status-shown.ts'

/** The picture is renewed so often though nothing happens: times go on. */
const tickMs = 1000
/** Nobody relies on news alone. */
const ticksMax = 5
/** Between two looks at all agents passes this much, and so many times what a look takes: looking must not slow what is looked at. */
const lookMsMin = 150
const lookShare = 10

export interface Watching {
  readonly performer: LocalPerformer
  readonly session: string | undefined
  readonly progress: Progress
  /** When there is no more to wait for. */
  isOver(status: StatusShown): boolean
  notice?(): string | undefined
  readonly signal: AbortSignal
}

/** Shows how a workflow stands whenever that has changed; answers with the last that was seen. */
export async function watchWorkflow(watching: Watching): Promise<StatusShown> {
  const { performer, session, progress, signal } = watching
  const news = new News()
  const listening = new AbortController()
  const stop = () => listening.abort()
  signal.addEventListener('abort', stop)
  const ended = listen(performer, session, news, listening.signal)
  try {
    for (;;) {
      const begun = systemClock().now()
      const status = await performer.execute(sessionStatus, session === undefined ? {} : { session })
      const isLast = watching.isOver(status) || signal.aborted
      progress.show(status, watching.notice?.())
      if (isLast) return status
      const took = systemClock().now() - begun
      await sleep(Math.max(lookMsMin, lookShare * took), signal)
      for (let tick = 0; tick < ticksMax && !(await news.within(tickMs)); tick++)
        progress.show(status, watching.notice?.())
    }
  } finally {
    signal.removeEventListener('abort', stop)
    listening.abort()
    await ended
  }
}

/** Each event is news, whatever it says. */
async function listen(
  performer: LocalPerformer,
  session: string | undefined,
  news: News,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of performer.stream(logFollow, session === undefined ? {} : { session }, signal)) news.come()
  } catch {
    // Without it all is looked at now and then.
  }
  news.end()
}

/** Whether something has happened since somebody looked. */
class News {
  #isThere = false
  #hasEnded = false
  #told: (() => void) | undefined

  /** Nobody tells any more: every look may find something. */
  end(): void {
    this.#hasEnded = true
    this.come()
  }

  come(): void {
    this.#isThere = true
    this.#told?.()
  }

  async within(ms: number): Promise<boolean> {
    if (!this.#isThere) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#told = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    const isThere = this.#isThere || this.#hasEnded
    this.#isThere = false
    this.#told = undefined
    return isThere
  }
}
