import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { uuid7 } from './domain/log/identity.ts'
import { jitter } from './web-clock.ts'

export { elapsed, sleep } from './web-clock.ts'

/** The only place, with web-clock.ts, that reads the clock or makes anything random. Tests hand in one of their own. */
export interface Clock {
  /** Milliseconds since 1970, UTC. Order never depends on it. */
  now(): number
  /** A new id, unique for ever: UUIDv7 as 32 hex digits. */
  id(): string
  /** 128 random bits as 32 hex digits: nobody guesses it. */
  secret(): string
  /** Between 0 and 1, for spreading waits. */
  jitter(): number
}

/** Random bytes are drawn for many ids at once: a call each would cost more than the rest of an event. */
const drawnBytes = 4096
const idBytes = 10

export function systemClock(): Clock {
  let drawn = ''
  let used = 0
  const rest = () => {
    if (used + idBytes * 2 > drawn.length) {
      drawn = randomBytes(drawnBytes).toString('hex')
      used = 0
    }
    used += idBytes * 2
    return drawn.slice(used - idBytes * 2, used)
  }
  const secret = () => randomBytes(16).toString('hex')
  return { now: () => Date.now(), id: () => uuid7(Date.now(), rest()), secret, jitter }
}

/** 256 random bits as text: nobody guesses it. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Sleeps without giving up the thread: only for processes that have nothing else to do. */
export function sleepBlocking(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** The machine's own clock since it was started: the same for all its processes, and no one can set it. */
export function bootTime(): { ms: number; boot: string } {
  boot ??= readBoot()
  return { ms: Math.floor(Number(process.hrtime.bigint() / 1_000_000n)), boot }
}

let boot: string | undefined

/** Tells one life of the machine from the next; where the system does not say, all lives look alike. */
function readBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return 'unknown'
  }
}
