import type { Measured } from './measure.ts'

/** What a figure must reach: a ratio of ours to what it is held against, or ours itself. */
export interface Target {
  readonly of: 'ratio' | 'ours'
  readonly is: 'at least' | 'at most'
  readonly limit: number
}

export interface Scenario {
  readonly name: string
  readonly about: string
  /** What ours is held against. */
  readonly against: string
  readonly store: 'sqlite' | 'postgres'
  readonly unit: '/s' | 'ms' | 'MB' | 'bytes'
  readonly target: Target
  /** Why it cannot be measured now, or nothing. */
  readonly skip?: () => string | undefined
  run(context: Context): Promise<Measured>
}

export interface Context {
  readonly quick: boolean
  /** Pairs of rounds, and how long each of them runs where time decides. */
  readonly rounds: number
  readonly roundMs: number
  /** Starts of a process, where a round is one start. */
  readonly starts: number
  /** A new, empty folder; it is removed when the scenario ends. */
  folder(): string
  /** Run in reverse order when the scenario ends. */
  atEnd(undo: () => unknown): void
  /** A line for whoever waits. */
  say(text: string): void
}

export function atLeast(limit: number): Target {
  return { of: 'ratio', is: 'at least', limit }
}

export function atMost(limit: number): Target {
  return { of: 'ratio', is: 'at most', limit }
}

/** How many callers ask at once wherever there are many. */
export const manyCallers = 64
