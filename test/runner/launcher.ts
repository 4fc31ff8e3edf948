// Plays a server that starts agents, for tests that kill it: `launcher.ts HOME [RUN, [PROGRAM, …]]`, each run one after the other.
import { launch } from '../../src/runner/processes/launch.ts'
import { RunFolder } from '../../src/runner/processes/run-folder.ts'

const [home = '', ...runs] = process.argv.slice(2)
for (const given of runs) {
  const [run, argv] = JSON.parse(given) as [string, string[]]
  const launching = {
    argv,
    env: process.env as Record<string, string>,
    cwd: home,
    input: 'none',
    errorsApart: false,
  } as const
  const launched = await launch(new RunFolder(home, run), { root: 'a-root', session: 'a-session' }, launching)
  process.stdout.write(`${JSON.stringify(launched)}\n`)
}
// A server stays.
setInterval(() => undefined, 60_000)
