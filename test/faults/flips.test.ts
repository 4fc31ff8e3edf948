// One bit of a file is turned, anywhere: whoever reads the store is refused, or is told by `doctor`, or gets what was written.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CairnRefusal } from '../../src/domain/refusal.ts'
import { seedOf } from '../setup/seed.ts'
import { runChild, startChild } from './children.ts'
import { contents, examine, newFolder } from './stores.ts'

const flips = process.env.CAIRN_LONG === undefined ? 200 : 2000
const seed = seedOf(42)

/** mulberry32 */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

type Verdict = 'refused' | 'found' | 'same' | { readonly different: unknown }

/** What a reader meets; `before` are the contents that may be shown as if nothing had happened. */
async function meet(home: string, before: readonly string[]): Promise<Verdict> {
  try {
    const { checks, problems } = await examine(home)
    if (problems.length > 0 || checks.some(({ ok }) => !ok)) return 'found'
    const shown = JSON.stringify(await contents(home))
    return before.includes(shown) ? 'same' : { different: shown.slice(0, 2000) }
  } catch (error) {
    if (!(error instanceof CairnRefusal)) throw error
    expect([error.code, error.message], String(error.stack)).toEqual([
      'storage_error',
      expect.stringMatching(/\S.*\.$/),
    ])
    return 'refused'
  }
}

/** Turns bits of one file of a store, each in a copy of its own. */
async function flip(whole: string, name: string, before: readonly string[], times: number) {
  const random = randomFrom(seed)
  const bytes = readFileSync(join(whole, name))
  const met: Record<string, number> = { refused: 0, found: 0, same: 0 }
  const home = join(newFolder(), 'home')
  for (let at = 0; at < times; at++) {
    rmSync(home, { recursive: true, force: true })
    cpSync(whole, home, { recursive: true })
    const place = Math.floor(random() * bytes.length)
    const bit = Math.floor(random() * 8)
    const turned = Buffer.from(bytes)
    turned[place] = (turned[place] as number) ^ (1 << bit)
    writeFileSync(join(home, name), turned)
    const what = `bit ${bit} of byte ${place} of ${name}, seed ${seed}`
    const verdict = await meet(home, before).catch((error: unknown) =>
      expect.fail(`${what}: ${(error as Error).stack}`),
    )
    if (typeof verdict === 'object') expect.fail(`${what} changed what is read: ${verdict.different}`)
    met[verdict] = (met[verdict] ?? 0) + 1
  }
  console.log(`${name}: ${bytes.length} bytes, ${JSON.stringify(met)}, seed ${seed}`)
  return met
}

describe('a bit that is turned', () => {
  it('U19 in the database is never read as something else', async () => {
    const whole = join(newFolder(), 'home')
    await runChild({ home: whole, do: 'write', times: 15 })
    const met = await flip(whole, 'cairn.db', [await shownBy(whole)], flips)
    expect((met.refused ?? 0) + (met.found ?? 0)).toBeGreaterThan(0)
  })

  it('U19 in the write-ahead log of a killed writer loses nothing in silence but a last write that may have been torn', async () => {
    const whole = join(newFolder(), 'home')
    const { root = '' } = await runChild({ home: whole, do: 'write', times: 1 })
    const child = await startChild({ home: whole, do: 'overwrite', session: root, key: 'k' })
    await child.heard('ack 9.6')
    child.process.kill('SIGKILL')
    await child.ended
    const before = [await shownBy(whole), await shownBy(whole, true)]
    const met = await flip(whole, 'cairn.db-wal', before, flips)
    expect(met.refused).toBeGreaterThan(0)
  })
})

/** What a copy of a store shows; with `torn`, as if its last write had been lost with the power. */
async function shownBy(whole: string, torn = false): Promise<string> {
  const home = join(newFolder(), 'home')
  cpSync(whole, home, { recursive: true })
  if (torn) {
    const log = readFileSync(join(home, 'cairn.db-wal'))
    writeFileSync(join(home, 'cairn.db-wal'), log.subarray(0, log.length - 1))
  }
  return JSON.stringify(await contents(home))
}
