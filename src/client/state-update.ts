import { CairnRefusal } from '../domain/log/refusal.ts'
import type { KeyAnswer } from '../domain/state/mutation.ts'
import type { Json } from '../json/value.ts'
import { jitter, sleep } from '../web-clock.ts'

/** Ten writers on one key all get through within this; more losses mean that something else is wrong. */
const attemptsMax = 5
const firstWaitMs = 5

export interface UpdateInput {
  readonly session?: string
  readonly key: string
  /** Gets the current value (undefined when there is none) and gives the new one; called again after each lost race. */
  readonly fn: (current: Json | undefined) => Json | Promise<Json>
}

export type Update = (input: UpdateInput) => Promise<KeyAnswer>

interface State {
  get(input: { session?: string; key: string }): Promise<KeyAnswer>
  set(input: { session?: string; key: string; value: Json; version: number }): Promise<KeyAnswer>
}

/** Read, compute, write if nobody was faster; again with a growing random wait when somebody was. */
export function updating(state: State): Update {
  return async ({ fn, ...place }) => {
    for (let attempt = 1; ; attempt++) {
      const current = await state.get(place).catch(absent)
      const value = await fn(current?.value)
      try {
        return await state.set({ ...place, value, version: current?.version ?? 0 })
      } catch (error) {
        const lost = error instanceof CairnRefusal && error.code === 'version_conflict'
        if (!lost || attempt === attemptsMax) throw error
      }
      await sleep(firstWaitMs * 2 ** attempt * jitter())
    }
  }
}

function absent(error: unknown): undefined {
  if (error instanceof CairnRefusal && error.code === 'key_not_found') return undefined
  throw error
}
