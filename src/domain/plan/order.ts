import { plansCeiling, tasksCeiling } from '../log/limits.ts'

/**
 * The order in which work is handed out: by phase, plan, wave and number. A place in it is one number, so that a store finds the first by
 * one column; the ceilings of the limits are what that has room for.
 */

/** Waves of a plan are looked through one by one. */
export const wavesMax = 100

const plansRoom = plansCeiling + 1
const wavesRoom = 1000
const tasksRoom = tasksCeiling + 1

/** A plan of a phase as one number; 0 where a task belongs to neither. */
export function laneOf(phase: number, plan: number): number {
  return phase * plansRoom + plan
}

export function phaseOfLane(lane: number): number {
  return Math.floor(lane / plansRoom)
}

export function waveRank(lane: number, wave: number): number {
  return lane * wavesRoom + wave
}

export function taskRank(lane: number, wave: number, task: number): number {
  return waveRank(lane, wave) * tasksRoom + task
}

/** The ranks of the tasks of a wave: from, and to before. */
export function ranksOfWave(rank: number): { from: number; to: number } {
  return { from: rank * tasksRoom, to: (rank + 1) * tasksRoom }
}

/** Where a task of this rank stands. */
export function placeOfRank(rank: number): { lane: number; wave: number } {
  const wave = Math.floor(rank / tasksRoom)
  return { lane: Math.floor(wave / wavesRoom), wave: wave % wavesRoom }
}
