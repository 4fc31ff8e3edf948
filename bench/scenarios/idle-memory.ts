import { bigStore, counterName } from '../big-store.ts'
import { storePath } from '../library.ts'
import { interleaved } from '../measure.ts'
import { bundled, run } from '../process.ts'
import type { Scenario } from '../scenario.ts'

export const idleMemory: Scenario = {
  name: 'idle-memory',
  about: 'memory of a process idle on a store of 1 000 000 events',
  against: 'a process with the raw driver open on it',
  store: 'sqlite',
  unit: 'MB',
  target: { of: 'ours', is: 'at most', limit: 90 },
  async run(context) {
    const { home, session } = await bigStore(context)
    const [idle, bare] = [await bundled(context, 'idle'), await bundled(context, 'idle-bare')]
    const key = counterName(0)
    const megabytes = (args: readonly string[]) => Number(run(args)) / 1e6
    return interleaved(
      context.rounds,
      () => megabytes([idle, home, session, key]),
      () => megabytes([bare, storePath(home), key]),
    )
  },
}
