import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readLiving, removeLiving, writeLiving } from './living-file.ts'
import { isAlive, type Living } from './process-life.ts'

/** How a server came to its end that was not told to end, and when that was seen (ISO 8601). */
export interface Death {
  readonly at: string
  readonly how: string
}

/** What the keeper of a server says of itself, in `keeper.json` of the data folder. */
export interface Keeper extends Living {
  /** Where the first server that it started was: those after it come back there. */
  readonly url: string
  /** How the last one died, since one did. */
  readonly died?: Death | undefined
}

const fileOf = (home: string) => join(home, 'keeper.json')

/** The living keeper of a data folder. */
export function keeperOf(home: string): Keeper | undefined {
  const found = readLiving<Keeper>(fileOf(home), { isWhole: ({ url }) => typeof url === 'string' })
  return found !== undefined && isAlive(found) ? found : undefined
}

/** The keeper that started this very process, as the one after a server that died. */
export function ownKeeper(home: string): (Keeper & { readonly died: Death }) | undefined {
  const found = keeperOf(home)
  return found?.pid === process.ppid && found.died !== undefined ? { ...found, died: found.died } : undefined
}

/** Says whether it is written down: there is one keeper of a data folder, and none of one that was removed. */
export function recordKeeper(home: string, keeper: Keeper): boolean {
  const found = keeperOf(home)
  if (found !== undefined && found.pid !== keeper.pid) return false
  if (!existsSync(home)) return false
  writeLiving(fileOf(home), keeper)
  return true
}

export function removeKeeper(home: string, keeper: Living): void {
  removeLiving(fileOf(home), keeper)
}
