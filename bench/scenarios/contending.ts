import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Contended } from '../contender.ts'
import type { Opened } from '../library.ts'

const key = 'contended'

/** Long enough for so many processes to have started. */
const startMs = 150

/** Lets processes write one key at once; fails when a write was lost or refused. */
export async function contend(
  program: string,
  { cairn, session }: Opened,
  home: string,
  processes: number,
  ms: number,
): Promise<Contended[]> {
  const before = await countedIn(cairn, session)
  const args = [program, home, session, key, String(Date.now() + 500 + startMs * processes), String(ms)]
  const run = async () => JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as Contended
  const all = await Promise.all(Array.from({ length: processes }, run))
  const refused = all.flatMap((each) => each.refused)
  if (refused.length > 0) throw new Error(`${refused.length} writes were refused: ${[...new Set(refused)].join(', ')}`)
  const done = all.reduce((sum, each) => sum + each.done, 0)
  const counted = (await countedIn(cairn, session)) - before
  if (counted !== done) throw new Error(`${done} increments were answered, ${counted} are there`)
  return all
}

async function countedIn(cairn: Opened['cairn'], session: string): Promise<number> {
  await cairn.state.increment({ session, key, delta: 0 })
  return (await cairn.state.get({ session, key })).value as number
}

export function rateOf(all: readonly Contended[], ms: number): number {
  return (all.reduce((sum, each) => sum + each.done, 0) * 1000) / ms
}
