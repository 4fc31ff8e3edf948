import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { interleaved } from '../measure.ts'
import { msOfProcess } from '../process.ts'
import { atMost, type Scenario } from '../scenario.ts'

export const setup: Scenario = {
  name: 'setup',
  about: '`cairn setup json --yes --no-check` in a bare folder: session, file and receipt',
  against: '`node -e 0`',
  store: 'sqlite',
  unit: 'ms',
  target: atMost(4),
  skip: () => (existsSync('dist/cli.cjs') ? undefined : 'dist/cli.cjs is not built'),
  run: (context) =>
    interleaved(
      context.starts,
      () => {
        const [project, home] = [context.folder(), context.folder()]
        return msOfProcess(
          [resolve('bin/cairn'), 'setup', 'json', '--yes', '--no-check'],
          { CAIRN_HOME: home, HOME: home },
          project,
        )
      },
      () => msOfProcess(['-e', '0']),
    ),
}
