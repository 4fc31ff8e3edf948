// What a server answers to its clients is what the plain model answers, whatever came before, restarts among them.
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { anyStep, someSeries } from '../model/commands.ts'
import { Histogram } from '../model/histogram.ts'
import type { Obj } from '../model/model.ts'
import type { Methods, Opened } from '../model/real.ts'
import { Runner } from '../model/run.ts'
import { serveHere } from '../setup/serve-here.ts'
import { STORES, type TestStore } from '../setup/stores.ts'

const long = process.env.CAIRN_LONG !== undefined
const minutes = 60_000

/** Series of hundreds of calls are for the long run: here each of them is a request. */
const shortStep = anyStep.filter(({ name }) => !name.startsWith('many '))

/** Opened by a server; each restart is one of the server. Requests of one tick come to it in any order. */
async function openServed(store: TestStore): Promise<Opened> {
  const serving = await serveHere({ ...store.options, port: 0 })
  const token = new InstallTokenFile(store.home).text()
  const client = connect({ url: serving.discovered.url, token, actor: 'library' }) as unknown as Methods
  const { log } = await store.openLog()
  const asAsked = (noun: string, verb: string, member: string) => ({
    [verb]: async (input: Obj) => withoutNames(await ((client[noun] as Verbs)[verb] as Verb)(input), member),
  })
  return {
    methods: {
      ...client,
      log: asAsked('log', 'list', 'events'),
      state: {
        ...(client.state as Verbs),
        ...asAsked('state', 'history', 'versions'),
        ...asAsked('state', 'why', 'events'),
      },
    },
    isInOrder: false,
    verify: () => log.verify(),
    async close() {
      await serving.stop()
      await store.close()
    },
  }
}

type Verbs = Methods[string]
type Verb = Verbs[string]

/** A client names each change that has no name, which the model does not know of. */
function withoutNames(answer: Obj, member: string): Obj {
  const shown = (answer[member] as Obj[]).map((event) => {
    return { ...event, request: String(event.request).startsWith('run ') ? (event.request as string) : null }
  })
  return { ...answer, [member]: shown }
}

describe.each(STORES)('the model through a server on $name', (kind) => {
  it(
    'S0-3 U13 U15 U53 a client gets the answers of the model, also of the past and after restarts of the server',
    async () => {
      const histogram = new Histogram()
      // On Postgres, where each takes three times as long, they are the first of those on SQLite.
      const runs = kind.name === 'SQLite' ? 30 : 15
      const extent = long ? { runs: 200, commands: 100, surely: someSeries } : { runs, commands: 40 }
      await Runner.run(kind, long ? anyStep : shortStep, extent, histogram, openServed)
      console.log(`commands through a server on ${kind.name}:\n${histogram}`)
      expect(histogram.lostShare()).toBeGreaterThanOrEqual(0.1)
      expect(histogram.answeredShare()).toBeGreaterThanOrEqual(0.5)
    },
    long ? 120 * minutes : 5 * minutes,
  )
})
