// Callers that ask at the same time get the answers of the model, as if they had asked one after another.
import { describe, expect, it } from 'vitest'
import { STORES } from '../setup/stores.ts'
import { anyBurst } from './commands.ts'
import { Histogram } from './histogram.ts'
import { Runner } from './run.ts'

const long = process.env.CAIRN_LONG !== undefined
const minutes = 60_000

describe.each(STORES)('the model with many callers on $name', (kind) => {
  it(
    'S0-5 S0-110 U16 callers at once get the answers of one after another, and reads see whole calls',
    async () => {
      const histogram = new Histogram()
      await Runner.run(kind, anyBurst, long ? { runs: 500, commands: 30 } : { runs: 40, commands: 10 }, histogram)
      console.log(`commands at once on ${kind.name}:\n${histogram}`)
      expect(histogram.lostShare()).toBeGreaterThanOrEqual(0.1)
      expect(histogram.answeredShare()).toBeGreaterThanOrEqual(0.5)
    },
    long ? 60 * minutes : 15 * minutes,
  )
})
