import { CairnRefusal } from '../domain/log/refusal.ts'
import type { KeyAnswer } from '../domain/state/mutation.ts'
import type { Json } from '../json/value.ts'
import { elapsed, jitter, sleep } from '../web-clock.ts'

/** How long an update is tried unless said otherwise: as long as any call. Hundreds of writers on one key get through within it. */
const deadlineMsUsual = 30_000

const firstWaitMs = 5
/** Each of those who lose together waits for a random part of this at most, so that a few of them come back at a time. */
const lastWaitMs = 500

export interface UpdateInput {
  readonly session?: string | undefined
  readonly key: string
  /** Gets the current value (undefined when there is none) and gives the new one; called again after each lost race. */
  readonly fn: (current: Json | undefined) => Json | Promise<Json>
  /** How long it is tried before it is given up as a `version_conflict`; 30 seconds unless given. */
  readonly deadlineMs?: number | undefined
}

export type Update = (input: UpdateInput) => Promise<KeyAnswer>

interface State {
  get(input: { session?: string | undefined; key: string }): Promise<KeyAnswer>
  set(input: { session?: string | undefined; key: string; value: Json; version: number }): Promise<KeyAnswer>
}

/** Read, compute, write if nobody was faster; again with a growing random wait when somebody was, until the deadline. */
export function updating(state: State): Update {
  return async ({ fn, deadlineMs = deadlineMsUsual, ...place }) => {
    const until = elapsed() + deadlineMs
    for (let lost = 0; ; lost++) {
      const current = await state.get(place).catch(absent)
      const value = await fn(current?.value)
      try {
        return await state.set({ ...place, value, version: current?.version ?? 0 })
      } catch (error) {
        const isLost = error instanceof CairnRefusal && error.code === 'version_conflict'
        if (!isLost || elapsed() >= until) throw error
      }
      const pause = Math.min(lastWaitMs, firstWaitMs * 2 ** lost) * jitter()
      await sleep(Math.min(pause, Math.max(0, until - elapsed())))
    }
  }
}

function absent(error: unknown): undefined {
  if (error instanceof CairnRefusal && error.code === 'key_not_found') return undefined
  throw error
}
