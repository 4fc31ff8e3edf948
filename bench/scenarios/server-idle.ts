import { setTimeout as sleep } from 'node:timers/promises'
import { bigStore, counterName } from '../big-store.ts'
import { interleaved } from '../measure.ts'
import type { Scenario } from '../scenario.ts'
import { megabytesOf, type Served, serveBare, serveStore } from '../served.ts'

/** A process that has answered and now waits; it ends with the round. */
async function idleMegabytes({ pid, stop }: Served): Promise<number> {
  await sleep(1000)
  const megabytes = megabytesOf(pid)
  await stop()
  return megabytes
}

export const serverIdle: Scenario = {
  name: 'server-idle',
  about: 'memory of a server idle on a store of 1 000 000 events',
  against: 'a server with one bare fastify route',
  store: 'sqlite',
  unit: 'MB',
  target: { of: 'ours', is: 'at most', limit: 130 },
  async run(context) {
    const { home, session } = await bigStore(context)
    const key = counterName(0)
    return interleaved(
      3,
      async () => {
        const served = await serveStore(context, home)
        await served.call('state.get', { session, key })
        await served.call('state.increment', { session, key })
        return idleMegabytes(served)
      },
      async () => idleMegabytes(await serveBare(context, 'echo')),
    )
  },
}
