import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What several rounds gave: the middle one, and the worst and best. */
export interface Spread {
  readonly median: number
  readonly low: number
  readonly high: number
}

export interface Measured {
  readonly ours: Spread
  readonly bare: Spread
  /** Of the pairs of rounds that ran one after the other: what slows the machine for a while slows both of a pair. */
  readonly ratio: Spread
}

export type Round = () => Promise<number> | number

/** Ours, bare, ours, bare …; one round of each goes first and is not counted. */
export async function interleaved(rounds: number, ours: Round, bare: Round): Promise<Measured> {
  await alone(ours)
  await alone(bare)
  const pairs: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) pairs.push({ ours: await alone(ours), bare: await alone(bare) })
  return {
    ours: spreadOf(pairs.map((pair) => pair.ours)),
    bare: spreadOf(pairs.map((pair) => pair.bare)),
    ratio: spreadOf(pairs.map((pair) => pair.ours / pair.bare)),
  }
}

export function spreadOf(figures: readonly number[]): Spread {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length / 2
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2
  return { median, low: sorted[0] ?? 0, high: sorted.at(-1) ?? 0 }
}

/** A round pays for its own garbage, not for that of the one before it. */
async function alone(round: Round): Promise<number> {
  collectGarbage()
  return await round()
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Operations a second of so many callers, each of which asks again as soon as it was answered. */
export async function rateOfCallers(ms: number, callers: number, ask: (caller: number) => Promise<unknown>) {
  const start = performance.now()
  const end = start + ms
  let done = 0
  const loop = async (caller: number) => {
    while (performance.now() < end) {
      await ask(caller)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, caller) => loop(caller)))
  return perSecond(done, start)
}

/** Operations a second of a step that does so many of them without giving up the thread. */
export function rateOfSteps(ms: number, operations: number, step: () => void): number {
  const start = performance.now()
  const end = start + ms
  let done = 0
  while (performance.now() < end) {
    step()
    done += operations
  }
  return perSecond(done, start)
}

function perSecond(done: number, start: number): number {
  return (done * 1000) / (performance.now() - start)
}

/** Milliseconds of one call of several. */
export async function msOfCalls(calls: number, call: (at: number) => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let at = 0; at < calls; at++) await call(at)
  return (performance.now() - start) / calls
}
