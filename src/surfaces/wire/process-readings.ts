import { readFileSync } from 'node:fs'
import { readdir, statfs } from 'node:fs/promises'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { elapsed } from '../../clock.ts'
import type { Overload, Reading } from './overload.ts'

/** How often the process is looked at, and every how many looks what costs a system call or more. */
const lookMs = 250
const seldom = 4

/** While memory is short, what nobody uses is given back to the system so often: a server that is left alone would keep it. */
const collectMs = 2000

/** Looks at this process until it is stopped; the disk is that of a folder, where one matters. */
export class ProcessReadings {
  readonly #overload: Overload
  readonly #folder: string | undefined
  readonly #timer: NodeJS.Timeout
  readonly #descriptorsMax = descriptorsHere()
  #looks = 0
  #lookedAt = elapsed()
  #collectedAt = elapsed()
  #isBusy = false
  /** As they were last seen. */
  diskFree: number | undefined
  descriptors: number | undefined

  constructor(overload: Overload, folder: string | undefined) {
    this.#overload = overload
    this.#folder = folder
    this.#look()
    this.#timer = setInterval(() => this.#look(), lookMs)
    this.#timer.unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = elapsed()
    const lagMs = Math.max(0, now - this.#lookedAt - lookMs)
    this.#lookedAt = now
    if (this.#looks % seldom === 0 && !this.#isBusy) void this.#lookAtFiles()
    this.#looks += 1
    this.#overload.look(this.#reading(lagMs))
    if (now - this.#collectedAt < collectMs || !this.#overload.short.includes('memory')) return
    collectGarbage()
    this.#collectedAt = elapsed()
    // What this took is no lag of anybody's work.
    this.#lookedAt = this.#collectedAt
  }

  #reading(lagMs: number): Reading {
    const { used_heap_size: heapUsed, heap_size_limit: heapMax } = getHeapStatistics()
    const descriptorsFree = this.descriptors === undefined ? undefined : this.#descriptorsMax - this.descriptors
    return { rss: process.memoryUsage.rss(), heapUsed, heapMax, lagMs, diskFree: this.diskFree, descriptorsFree }
  }

  async #lookAtFiles(): Promise<void> {
    this.#isBusy = true
    this.diskFree = this.#folder === undefined ? undefined : await freeAt(this.#folder)
    if (this.#descriptorsMax < Number.POSITIVE_INFINITY) this.descriptors = await descriptorsOpen()
    this.#isBusy = false
  }
}

async function freeAt(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch {
    // A folder that was moved away is told of by whoever needs what is in it.
    return undefined
  }
}

async function descriptorsOpen(): Promise<number | undefined> {
  try {
    return (await readdir('/proc/self/fd')).length
  } catch {
    return undefined
  }
}

/** How many descriptors this process may have; where the system does not say, as many as it likes. */
export function descriptorsHere(): number {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Node gives it to those who ask at its start, or so. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}
