// Every answer of Cairn is the answer of a plain model, whatever commands came before, restarts among them.
import { describe, expect, it } from 'vitest'
import { STORES } from '../setup/stores.ts'
import { anyBurst, anyStep } from './commands.ts'
import { Histogram } from './histogram.ts'
import { Runner } from './run.ts'

const long = process.env.CAIRN_LONG !== undefined
const minutes = 60_000

/** Besides the long series of appends and merges, which are made of these. */
const NAMES = [
  ...['set', 'set at version', 'create only', 'delete', 'delete at version', 'increment', 'append', 'merge'],
  ...['merge at version', 'batch', 'replace', 'replace at version', 'init', 'create root', 'create child'],
  ...['end session', 'repeat', 'misuse', 'read', 'read at', 'read key', 'read key at', 'restart'],
]

describe.each(STORES)('the model on $name', (kind) => {
  it(
    'S0-3 U13 U15 one caller gets the answers of the model, also of the past and after restarts',
    async () => {
      const histogram = new Histogram()
      await Runner.run(kind, anyStep, long ? { runs: 5000, commands: 100 } : { runs: 200, commands: 50 }, histogram)
      console.log(`commands on ${kind.name}:\n${histogram}`)
      const shares = histogram.shares()
      for (const name of NAMES) expect(shares.get(name), name).toBeGreaterThanOrEqual(0.02)
      expect(histogram.lostShare()).toBeGreaterThanOrEqual(0.1)
      expect(histogram.answeredShare()).toBeGreaterThanOrEqual(0.5)
      expect(histogram.reached('array over 4 KiB')).toBeGreaterThan(0)
      expect(histogram.reached('17th append')).toBeGreaterThan(0)
      expect(histogram.reached('257th append')).toBeGreaterThan(0)
      expect(histogram.reached('object over 1 KiB')).toBeGreaterThan(0)
      expect(histogram.reached('33rd merge in a row')).toBeGreaterThan(0)
    },
    long ? 120 * minutes : 5 * minutes,
  )

  it(
    'S0-5 S0-110 U16 callers at once get the answers of one after another, and reads see whole calls',
    async () => {
      const histogram = new Histogram()
      await Runner.run(kind, anyBurst, long ? { runs: 2000, commands: 30 } : { runs: 60, commands: 10 }, histogram)
      console.log(`commands at once on ${kind.name}:\n${histogram}`)
      expect(histogram.lostShare()).toBeGreaterThanOrEqual(0.1)
      expect(histogram.answeredShare()).toBeGreaterThanOrEqual(0.5)
    },
    long ? 60 * minutes : 5 * minutes,
  )
})
