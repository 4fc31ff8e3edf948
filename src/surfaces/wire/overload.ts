import type { Limits } from '../../domain/log/limits.ts'
import { type Refusal, refuse } from '../../domain/log/refusal.ts'
import type { Caller } from '../../log/access/caller.ts'

/** How a process is; what the system does not say is left out. */
export interface Reading {
  /** All memory of the process, what JavaScript uses of it, and how much that may become. */
  readonly rss: number
  readonly heapUsed: number
  readonly heapMax: number
  /** How late the event loop came to look. */
  readonly lagMs: number
  readonly diskFree?: number | undefined
  readonly descriptorsFree?: number | undefined
}

export type Overloaded = 'memory' | 'lag' | 'disk' | 'descriptors'

/** A resource that has run short, or has enough again. */
export interface Turn {
  readonly resource: Overloaded
  readonly isShort: boolean
  readonly value: number
  readonly limit: number
}

/** JavaScript ends the process when its memory is full: so much of it may be used. */
const heapShare = 0.85

/** Who is just within its limit would be beyond it again at once: it must be so far within. */
const enoughShare = 0.1
const enoughDescriptors = 8

/** When to come back: what is short has been looked at several times by then. */
const retrySeconds = 2

type LimitName = 'memoryBytes' | 'lagMs' | 'diskFreeBytes' | 'descriptorsFree'

interface Resource {
  readonly limit: LimitName
  readonly message: string
  readonly hint: string
}

const later = 'Try again later; the owner of the store is still served.'

const resources: { readonly [Name in Overloaded]: Resource } = {
  memory: { limit: 'memoryBytes', message: 'The server is short of memory.', hint: later },
  lag: { limit: 'lagMs', message: 'The server is behind with its work.', hint: later },
  descriptors: {
    limit: 'descriptorsFree',
    message: 'The server is short of file descriptors.',
    hint: 'Close connections that are not needed, and try again later; the owner of the store is still served.',
  },
  disk: {
    limit: 'diskFreeBytes',
    message: 'The disk of the data folder is nearly full: only reads are allowed.',
    hint: 'Free some space on that disk, or have the owner remove roots and run cairn gc; then try again.',
  },
}

const names = Object.keys(resources) as Overloaded[]

/**
 * Refuses new work before the process fails for want of something. Whoever is no owner waits while memory, descriptors or the event loop are short;
 * nobody writes while the disk is. It is told how the process is, again and again, and so recovers by itself.
 */
export class Overload {
  readonly #limits: Pick<Limits, LimitName>
  readonly #told: (turn: Turn) => void
  readonly #short = new Set<Overloaded>()
  #lagBefore = 0
  /** How many were refused, by what was short. */
  readonly refused = new Map<Overloaded, number>(names.map((name) => [name, 0]))

  constructor(limits: Pick<Limits, LimitName>, told: (turn: Turn) => void) {
    this.#limits = limits
    this.#told = told
  }

  /** What is short now. */
  get short(): readonly Overloaded[] {
    return [...this.#short]
  }

  look(reading: Reading): void {
    const { memoryBytes, lagMs, diskFreeBytes, descriptorsFree } = this.#limits
    const heapMax = reading.heapMax * heapShare
    const isHeap = reading.heapUsed / heapMax > reading.rss / memoryBytes
    if (isHeap) this.#upTo('memory', reading.heapUsed, heapMax)
    else this.#upTo('memory', reading.rss, memoryBytes)
    // One long step is over when it is seen; only who is late again and again is behind.
    this.#upTo('lag', Math.min(reading.lagMs, this.#lagBefore), lagMs)
    this.#lagBefore = reading.lagMs
    this.#atLeast('disk', reading.diskFree, diskFreeBytes, diskFreeBytes * enoughShare)
    this.#atLeast('descriptors', reading.descriptorsFree, descriptorsFree, enoughDescriptors)
  }

  /** Why a caller gets nothing new now, if so. */
  refusalOf({ principal }: Pick<Caller, 'principal'>): Refusal | undefined {
    if (this.#short.size === 0 || principal === 'owner') return undefined
    const name = this.short.find((each) => each !== 'disk')
    return name && this.#refuse(name)
  }

  /** Why nobody may write now, if so. */
  refusalOfWrites(): Refusal | undefined {
    return this.#short.has('disk') ? this.#refuse('disk') : undefined
  }

  #upTo(resource: Overloaded, value: number, limit: number): void {
    this.#turn(resource, value, limit, value > limit, value <= limit * (1 - enoughShare))
  }

  #atLeast(resource: Overloaded, value: number | undefined, limit: number, more: number): void {
    if (value !== undefined) this.#turn(resource, value, limit, value < limit, value >= limit + more)
  }

  #turn(resource: Overloaded, value: number, limit: number, isShort: boolean, isEnough: boolean): void {
    const was = this.#short.has(resource)
    if (was ? !isEnough : !isShort) return
    if (was) this.#short.delete(resource)
    else this.#short.add(resource)
    this.#told({ resource, isShort: !was, value, limit })
  }

  #refuse(name: Overloaded): Refusal {
    this.refused.set(name, (this.refused.get(name) ?? 0) + 1)
    const { limit, message, hint } = resources[name]
    const details = { limit, limit_value: this.#limits[limit], retry_after: retrySeconds }
    return refuse('busy', message, hint, details)
  }
}
