// Where a process dies in the middle of what it does.
import { expect } from 'vitest'

const isLong = process.env.CAIRN_LONG !== undefined

/**
 * Places of the program, each with those of its passings there at which a process dies in an ordinary run. Deaths within one transaction
 * leave the same store, so they are chosen from different ones, and none is spent on a passing that never comes.
 */
export type Deaths = Readonly<Record<string, readonly number[]>>

/**
 * Lets a process die at each of them; in a long run at every passing of each place, until one comes through. `dies` does it, and says
 * whether it died there.
 */
export async function eachDeath(deaths: Deaths, dies: (point: string, hit: number) => Promise<boolean>): Promise<void> {
  for (const [point, hits] of Object.entries(deaths)) {
    for (const hit of isLong ? [1] : hits) expect(await dies(point, hit), `it passes ${point} ${hit} times`).toBe(true)
    for (let hit = 2; isLong && (await dies(point, hit)); ) hit += 1
  }
}
