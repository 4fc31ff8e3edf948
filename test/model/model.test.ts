// Every answer of Cairn is the answer of a plain model, whatever commands came before, restarts among them.
import { describe, expect, it } from 'vitest'
import { STORES } from '../setup/stores.ts'
import { anyStep, someSeries } from './commands.ts'
import { Histogram } from './histogram.ts'
import { Runner } from './run.ts'

const long = process.env.CAIRN_LONG !== undefined
const minutes = 60_000

/** Every mutation; the long series of appends and merges are made of these. */
const MUTATIONS = [
  ...['set', 'set at version', 'create only', 'delete', 'delete at version', 'increment', 'append', 'merge'],
  ...['merge at version', 'batch', 'replace', 'replace at version', 'init', 'create root', 'create child'],
  ...['counter add', 'set add', 'set remove', 'register set'],
  ...[
    'patch',
    'patch at version',
    'json patch',
    'json patch at version',
    'min',
    'max',
    'set if absent',
    'raw mutation',
  ],
  ...['end session', 'claim', 'heartbeat', 'release', 'repeat', 'misuse', 'restart'],
]

describe.each(STORES)('the model on $name', (kind) => {
  it(
    'S0-3 U13 U15 one caller gets the answers of the model, also of the past and after restarts',
    async () => {
      const histogram = new Histogram()
      const extent = long ? { runs: 5000, commands: 100 } : { runs: 200, commands: 50 }
      await Runner.run(kind, anyStep, { ...extent, surely: someSeries }, histogram)
      console.log(`commands on ${kind.name}:\n${histogram}`)
      const shares = histogram.shares()
      for (const name of MUTATIONS) expect(shares.get(name), name).toBeGreaterThanOrEqual(0.02)
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
