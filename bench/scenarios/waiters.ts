import { newRoot } from '../library.ts'
import { interleaved } from '../measure.ts'
import { bundled, run } from '../process.ts'
import { atMost, type Scenario } from '../scenario.ts'

export const waiters: Scenario = {
  name: 'waiters',
  about: 'CPU time in a second of an idle process in which 1 000 wait for one key',
  against: 'the same process with one who waits',
  store: 'sqlite',
  unit: 'ms',
  target: atMost(1.2),
  async run(context) {
    const home = context.folder()
    const { session } = await newRoot(context, { home })
    const waiting = await bundled(context, 'waiting')
    const cpuMs = (count: number) => Number(run([waiting, home, session, String(count)]))
    return interleaved(
      context.rounds,
      () => cpuMs(1000),
      () => cpuMs(0),
    )
  },
}
