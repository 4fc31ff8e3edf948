// Every answer of Cairn is the answer of a plain model, whatever commands came before, restarts among them.
import { describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { STORES } from '../setup/stores.ts'
import { anyStep, someSeries } from './commands.ts'
import { Histogram } from './histogram.ts'
import { Runner } from './run.ts'

const long = process.env.CAIRN_LONG !== undefined
const minutes = 60_000

/** Every mutation; the long series of appends and merges are made of these. */
const MUTATIONS = [
  ...['set', 'delete', 'increment', 'append', 'merge', 'counter add', 'set add', 'set remove', 'register set', 'patch'],
  ...['json patch', 'min', 'max', 'set if absent', 'raw mutation', 'batch', 'replace', 'init', 'restore'],
  ...[
    'schema set',
    'schema delete',
    'lease claim',
    'lease heartbeat',
    'lease release',
    'claim',
    'heartbeat',
    'release',
  ],
  ...['create root', 'create child', 'end session', 'repeat', 'misuse', 'an hour', 'silence', 'restart', 'fork'],
]

/** So much of all commands is each of them at least. In fewer runs chance makes more of a difference. */
const shareMin = long ? 0.02 : 0.015

/** Every operation of shared state. */
const OPERATIONS = (['state', 'schema', 'lease'] as const).flatMap((noun) =>
  Object.values(operations[noun]).map(({ name }) => name),
)

describe.each(STORES)('the model on $name', (kind) => {
  it(
    'S0-3 S0-49 S0-78 U13 U15 U37 one caller gets the answers of the model, also of the past, in forks and after restarts',
    async () => {
      const histogram = new Histogram()
      // The same lists in every ordinary run: whatever they can find was found when they first ran. A long run searches.
      // On Postgres, where each takes three times as long, they are the first of those on SQLite.
      const runs = kind.name === 'SQLite' ? 90 : 60
      const extent = long ? { runs: 1000, commands: 100 } : { runs, commands: 50 }
      await Runner.run(kind, anyStep, { ...extent, surely: someSeries }, histogram)
      console.log(`commands on ${kind.name}:\n${histogram}`)
      const shares = histogram.shares()
      for (const name of MUTATIONS) expect(shares.get(name), name).toBeGreaterThanOrEqual(shareMin)
      const unanswered = OPERATIONS.filter((name) => histogram.answered(name) === 0)
      expect(unanswered, 'operations that no command covers').toEqual([])
      expect(shares.get('upkeep')).toBeGreaterThan(0.005)
      expect(histogram.lostShare()).toBeGreaterThanOrEqual(0.1)
      expect(histogram.answeredShare()).toBeGreaterThanOrEqual(0.5)
      expect(histogram.reached('array over 4 KiB')).toBeGreaterThan(0)
      expect(histogram.reached('17th append')).toBeGreaterThan(0)
      expect(histogram.reached('257th append')).toBeGreaterThan(0)
      expect(histogram.reached('object over 1 KiB')).toBeGreaterThan(0)
      expect(histogram.reached('33rd merge in a row')).toBeGreaterThan(0)
    },
    long ? 120 * minutes : 15 * minutes,
  )
})
