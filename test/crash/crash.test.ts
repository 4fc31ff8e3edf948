// Writers are killed again and again, at any moment and at every step of a write: nothing that was answered is lost,
// nothing is half done, and what is repeated takes effect once.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STORES, type TestStore } from '../setup/stores.ts'
import { Ledger } from './ledger.ts'
import { integrity, observe } from './observing.ts'
import { runWriter } from './writing.ts'

const rounds = Number(process.env.CAIRN_CRASH_ROUNDS ?? (process.env.CAIRN_LONG === undefined ? 50 : 1000))
const share = { SQLite: 0.7, Postgres: 0.3 }

/** Where a writer dies: when it has been answered so many times, or at a step of a write. */
const DEATHS = ['time', 'begin', 'append', 'project', 'commit', 'answer', 'announce'] as const

const callers = 6
/** More than any round gets to write: a writer that ends by itself was not killed. */
const writesOfCaller = 200
const acksMax = 60
const hitMax = 15
/** Each round looks at everything that was ever written, so after so many rounds a new store is taken. */
const roundsOfStoreMax = 100

const upTo = (most: number) => 1 + Math.floor(Math.random() * most)

function deathOf(round: number) {
  const death = DEATHS[round % DEATHS.length] as (typeof DEATHS)[number]
  if (death === 'time') return { shown: 'any time', how: { killAt: { acks: upTo(acksMax), ms: Math.random() * 5 } } }
  const failpoint = `${death}:kill@${upTo(hitMax)}`
  return { shown: failpoint, how: { env: { CAIRN_FAILPOINT: failpoint } } }
}

async function round(store: TestStore, session: string, ledger: Ledger, number: number): Promise<string[]> {
  const { shown, how } = deathOf(number)
  const job = { options: store.options, session, round: number, callers, writesOfCaller, repeat: ledger.pending() }
  const { asked, acked, code, signal, errors } = await runWriter(job, how)
  for (const id of asked) ledger.asked(id)
  for (const id of acked) ledger.acked(id)
  const alive = signal === 'SIGKILL' ? [] : [`the writer ended with ${code}: ${errors}`]
  const observed = await observe(store, session)
  const problems = [...alive, ...ledger.problems(observed), ...(await integrity(store))]
  return problems.map((problem) => `round ${number}, killed at ${shown}: ${problem}`)
}

/** The data stay where they are, with a note of what was expected. */
function keep(store: TestStore, problems: readonly string[]): string {
  const folder = dirname(store.home)
  writeFileSync(join(folder, 'problems.txt'), `${problems.join('\n')}\n`)
  return `kept in ${folder}${store.options.store ? ` and ${store.options.store}` : ''}`
}

interface Life {
  readonly answered: number
  readonly repeated: number
}

/** One store over many rounds; in the end a writer that nobody kills repeats what is still open. */
async function live(store: TestStore, first: number, end: number): Promise<Life> {
  const cairn = await store.open()
  const { session_id: session } = (await cairn.session.create({ topic: 'crash' })) as { session_id: string }
  await store.close()
  const ledger = new Ledger()
  let repeated = 0
  for (let number = first; number < end; number++) {
    repeated += ledger.pending().length
    const problems = await round(store, session, ledger, number)
    if (problems.length > 0) expect.fail(`${problems.join('\n')}\n${keep(store, problems)}`)
  }
  repeated += ledger.pending().length
  const job = { options: store.options, session, round: end, callers, writesOfCaller: 5, repeat: ledger.pending() }
  const { asked, acked, code, errors } = await runWriter(job)
  for (const id of asked) ledger.asked(id)
  for (const id of acked) ledger.acked(id)
  const problems = [...ledger.problems(await observe(store, session)), ...(await integrity(store))]
  if (code !== 0) problems.push(`the last writer ended with ${code}: ${errors}`)
  problems.push(...ledger.pending().map((id) => `${id} was repeated and not answered`))
  if (problems.length > 0) expect.fail(`${problems.join('\n')}\n${keep(store, problems)}`)
  await store.remove()
  return { answered: ledger.acks, repeated }
}

describe.each(STORES)('writers that are killed, on $name', (kind) => {
  const times = Math.round(rounds * share[kind.name])

  it('S0-3 S0-5 S0-79 U15 nothing answered is lost, nothing is half applied, repeats take effect once', {
    timeout: 60_000 + times * 10_000,
  }, async () => {
    const all = { answered: 0, repeated: 0 }
    for (let first = 0; first < times; first += roundsOfStoreMax) {
      const { answered, repeated } = await live(
        await kind.makeReady(),
        first,
        Math.min(times, first + roundsOfStoreMax),
      )
      all.answered += answered
      all.repeated += repeated
    }
    console.log(`${kind.name}: ${times} rounds, ${all.answered} answered, 0 lost; ${all.repeated} repeated, each once`)
    expect(all.answered).toBeGreaterThan(times)
    expect(all.repeated).toBeGreaterThan(0)
  })
})
