// One bit of a file is turned, anywhere: whoever reads the store is refused, or `doctor` finds it, or it is without effect.
import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { randomOf } from '../linear/random.ts'
import { seedOf } from '../setup/seed.ts'
import { runChild, startChild } from './children.ts'
import { contents, examine, newFolder } from './stores.ts'

const flips = process.env.CAIRN_LONG === undefined ? 200 : 2000
const seed = seedOf(42)

/** What a reader met; the last of these is never right. */
const VERDICTS = [
  'refused',
  'found by doctor, reads identical',
  'found by doctor, reads refused',
  'found by doctor, reads differ',
  'without effect',
  'last write gone',
  'different',
] as const
type Verdict = (typeof VERDICTS)[number]

/** What a store shows, or how it refuses to. */
async function shownIn(home: string): Promise<string | CairnRefusal> {
  try {
    return JSON.stringify(await contents(home))
  } catch (error) {
    if (error instanceof CairnRefusal) return error
    throw error
  }
}

/** A reader is told in Cairn's own words that the store is damaged. */
function expectToldOf(error: unknown): void {
  if (!(error instanceof CairnRefusal)) throw error
  expect([error.code, error.message], String(error.stack)).toEqual(['storage_error', expect.stringMatching(/\S.*\.$/)])
}

/** What may be shown as if nothing had happened: what was written and, where it could have been torn, that without the end. */
interface Shown {
  readonly whole: string
  readonly torn?: string | undefined
}

async function meet(home: string, { whole, torn }: Shown): Promise<Verdict> {
  try {
    const { checks, problems } = await examine(home)
    const isFound = problems.length > 0 || checks.some(({ ok }) => !ok)
    const shown = await shownIn(home)
    if (shown === whole) return isFound ? 'found by doctor, reads identical' : 'without effect'
    if (!isFound && shown instanceof CairnRefusal) throw shown
    if (!isFound) return shown === torn ? 'last write gone' : 'different'
    const isRefused = shown instanceof CairnRefusal && shown.code === 'storage_error'
    return isRefused ? 'found by doctor, reads refused' : 'found by doctor, reads differ'
  } catch (error) {
    expectToldOf(error)
    return 'refused'
  }
}

interface Flip {
  readonly place: number
  readonly bit: number
}

/** Turns bits of one file of a store, each in a copy of its own; `shownAt` says what may be shown after one at a place. */
async function flip(whole: string, name: string, shownAt: (place: number) => Shown, places: readonly Flip[]) {
  const bytes = readFileSync(join(whole, name))
  const met = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  const home = join(newFolder(), 'home')
  for (const { place, bit } of places) {
    rmSync(home, { recursive: true, force: true })
    cpSync(whole, home, { recursive: true })
    const turned = Buffer.from(bytes)
    turned[place] = (turned[place] as number) ^ (1 << bit)
    writeFileSync(join(home, name), turned)
    const what = `bit ${bit} of byte ${place} of ${name}, seed ${seed}`
    const verdict = await meet(home, shownAt(place)).catch((error: unknown) =>
      expect.fail(`${what}: ${(error as Error).stack}`),
    )
    if (verdict === 'different')
      expect.fail(`${what} changed what is read: ${String(await shownIn(home)).slice(0, 2000)}`)
    met[verdict] += 1
  }
  console.log(`${name}: ${bytes.length} bytes, ${JSON.stringify(met)}, seed ${seed}`)
  return met
}

/** Anywhere in so many bytes. */
function anywhere(size: number): Flip[] {
  const random = randomOf(seed)
  return Array.from({ length: flips }, () => ({ place: random.below(size), bit: random.below(8) }))
}

describe('a bit that is turned', () => {
  it('U19 in the database is refused, found by doctor or without effect', async () => {
    const home = join(newFolder(), 'home')
    await runChild({ home, do: 'write', times: 15 })
    const whole = await shownBy(home)
    const met = await flip(home, 'cairn.db', () => ({ whole }), anywhere(statSync(join(home, 'cairn.db')).size))
    expect(met.refused).toBeGreaterThan(0)
    expect(met['found by doctor, reads identical'] + met['found by doctor, reads differ']).toBeGreaterThan(0)
  })

  /** The store of a writer that was killed after an answer, and the transactions in its log. `times` is how much was there before. */
  async function killedAt(ack: string, times = 1) {
    const home = join(newFolder(), 'home')
    const { root = '' } = await runChild({ home, do: 'write', times })
    const child = await startChild({ home, do: 'overwrite', session: root, key: 'k' })
    await child.heard(ack)
    child.process.kill('SIGKILL')
    await child.ended
    const log = readFileSync(join(home, 'cairn.db-wal'))
    return { home, log, ...commitsIn(log) }
  }

  it('U19 in the write-ahead log of a killed writer loses nothing in silence but a last write that may have been torn', async () => {
    const { home, log, commits, end } = await killedAt('ack 9.6')
    expect(commits.length).toBeGreaterThan(6)
    const last = commits.at(-1) as Commit
    const whole = await shownBy(home)
    const torn = await shownBy(home, last.begins)
    expect(torn).not.toBe(whole)
    const shownAt = (place: number): Shown => ({ whole, torn: place >= last.begins && place < end ? torn : undefined })
    const met = await flip(home, 'cairn.db-wal', shownAt, [...anywhere(log.length), ...inHeaders(commits.slice(-2))])
    expect(met.refused).toBeGreaterThan(0)
    expect(met['last write gone']).toBeGreaterThan(0)
  })

  /** A commit of a store whose number of pages is one bit, a power of two, and the two after it. Some stores grow past it by two. */
  async function withOneBit() {
    for (let times = 10; times <= 50; times++) {
      const { home, log, commits } = await killedAt('ack 9.90', times)
      const sizes = commits.map(({ commits: at }) => log.readUInt32BE(at + 4))
      const at = sizes.findIndex((size, nth) => nth < commits.length - 2 && Math.log2(size) % 1 === 0)
      const [commit, last, next] = at < 0 ? [] : commits.slice(at)
      if (commit && last && next) return { home, size: sizes[at] as number, commit, last, next }
    }
    throw new Error('no store came to have a power of two of pages')
  }

  it('U19 that makes the last but one commit look like none loses nothing in silence either', async () => {
    const { home, size, commit, last, next } = await withOneBit()
    truncateSync(join(home, 'cairn.db-wal'), next.begins)
    const shown = { whole: await shownBy(home), torn: await shownBy(home, last.begins) }
    const bit = Math.log2(size)
    const place = commit.commits + 7 - Math.floor(bit / 8)
    const met = await flip(home, 'cairn.db-wal', () => shown, [{ place, bit: bit % 8 }])
    expect(met.refused).toBe(1)
  })
})

/** One transaction in a write-ahead log: where its first frame begins, and where the frame does that commits it. */
interface Commit {
  readonly begins: number
  readonly commits: number
}

/** The transactions in a write-ahead log, and where the last one ends. See https://sqlite.org/fileformat2.html */
function commitsIn(log: Buffer): { commits: Commit[]; end: number } {
  const frameBytes = 24 + log.readUInt32BE(8)
  const commits: Commit[] = []
  let begins = 32
  for (let at = begins; at + frameBytes <= log.length; at += frameBytes) {
    // What an older log has left in the same file has other salts.
    if (!log.subarray(at + 8, at + 16).equals(log.subarray(16, 24))) break
    if (log.readUInt32BE(at + 4) === 0) continue
    commits.push({ begins, commits: at })
    begins = at + frameBytes
  }
  return { commits, end: begins }
}

/** Each bit that says of a frame that it commits, and with which salts. */
function inHeaders(commits: readonly Commit[]): Flip[] {
  const bytes = Array.from({ length: 12 }, (_, at) => 4 + at)
  const all = commits.flatMap((commit) =>
    bytes.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => ({ place: commit.commits + byte, bit }))),
  )
  return all.filter((_, at) => flips > 200 || at % 4 === seed % 4)
}

/** What a copy of a store shows; with `cut`, if its log had been lost from there on. */
async function shownBy(whole: string, cut?: number): Promise<string> {
  const home = join(newFolder(), 'home')
  cpSync(whole, home, { recursive: true })
  if (cut !== undefined) truncateSync(join(home, 'cairn.db-wal'), cut)
  return JSON.stringify(await contents(home))
}
