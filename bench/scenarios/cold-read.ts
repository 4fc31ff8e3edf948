import { existsSync } from 'node:fs'
import { openCairn } from '../../src/index.ts'
import { createRoot } from '../library.ts'
import { interleaved } from '../measure.ts'
import { msOfProcess } from '../process.ts'
import { atMost, type Scenario } from '../scenario.ts'

export const coldRead: Scenario = {
  name: 'cold-read',
  about: '`cairn state get KEY --json`, from start to end of the process',
  against: '`node -e 0`',
  store: 'sqlite',
  unit: 'ms',
  target: atMost(1.8),
  skip: () => (existsSync('dist/cli.cjs') ? undefined : 'dist/cli.cjs is not built'),
  async run(context) {
    const home = context.folder()
    const cairn = await openCairn({ home })
    const session = await createRoot(cairn)
    await cairn.state.set({ session, key: 'answer', value: 42 })
    await cairn.close()
    const env = { CAIRN_HOME: home, AGENT_SESSION_ID: session }
    return interleaved(
      context.starts,
      () => msOfProcess(['bin/cairn', 'state', 'get', 'answer', '--json'], env),
      () => msOfProcess(['-e', '0']),
    )
  },
}
