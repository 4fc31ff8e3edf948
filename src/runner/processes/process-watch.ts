import { bootTime } from '../../clock.ts'
import { foundShim } from './launch.ts'
import { isShimAlive } from './members.ts'
import type { RunFolder, ShimProcess } from './run-folder.ts'

/** How a run is found. */
export type RunFound =
  /** Nothing of it was run so far; `prevented`: nor will be. */
  | { readonly is: 'unstarted' | 'prevented' }
  | { readonly is: 'running'; readonly shim: ShimProcess }
  /** It may have ended: the next look decides. */
  | { readonly is: 'unsure' }
  | { readonly is: 'ended'; readonly status: number }
  /** Its shim was killed, or its machine went down: nobody recorded how it ended. */
  | { readonly is: 'lost' }

/** Looks that find no process, one after the other, before a run is taken for lost. */
const missesMin = 2

/**
 * Looks again and again at the process of a run. It ends with its record and with nothing else: neither with its output, which a child of
 * it may hold open, nor with an error while looking.
 */
export class ProcessWatch {
  readonly folder: RunFolder
  #shim: ShimProcess | undefined
  #isSettled = false
  #misses = 0
  #earlierBoot: boolean | undefined

  constructor(folder: RunFolder) {
    this.folder = folder
  }

  /** Until the shim has left its number, another may be the one that runs the program. */
  get shim(): ShimProcess | undefined {
    if (this.#shim === undefined || !this.#isSettled) {
      this.#shim = foundShim(this.folder)
      this.#isSettled = this.#shim !== undefined && this.folder.startedBy === this.#shim.pid
    }
    return this.#shim
  }

  look(): RunFound {
    const found = this.#lookOnce()
    if (found.is === 'running') this.#misses = 0
    if (found.is !== 'lost') return found
    this.#misses += 1
    return this.#misses < missesMin && !this.#isOfEarlierBoot ? { is: 'unsure' } : found
  }

  #lookOnce(): RunFound {
    const { folder } = this
    try {
      // Asked first: a shim that has ended since has left its record.
      const isAlive = this.shim !== undefined && !this.#isOfEarlierBoot && isShimAlive(this.shim)
      const status = folder.exitStatus
      if (status !== undefined) return { is: 'ended', status }
      if (isAlive) return { is: 'running', shim: this.shim as ShimProcess }
      if (folder.startedBy === 0) return { is: 'prevented' }
      return folder.startedBy === undefined && folder.process === undefined ? { is: 'unstarted' } : { is: 'lost' }
    } catch {
      return { is: 'unsure' }
    }
  }

  get #isOfEarlierBoot(): boolean {
    const { intent } = this.folder
    this.#earlierBoot ??= intent === undefined ? undefined : intent.boot !== bootTime().boot
    return this.#earlierBoot ?? false
  }
}
