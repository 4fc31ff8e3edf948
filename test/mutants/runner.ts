// Faults in how agents are run: doubled, lost, left behind or taken for others.
import type { Mutant } from './mutant.ts'

export const ofRunner: readonly Mutant[] = [
  {
    name: 'runner: a shim runs the program whoever else does',
    file: 'src/runner/processes/shim.ts',
    find: ' || exit 0',
    replace: ' || :',
    tests: ['test/runner/processes.test.ts'],
  },
  {
    name: 'runner: the first miss is a death',
    file: 'src/runner/processes/process-watch.ts',
    find: 'const missesMin = 2',
    replace: 'const missesMin = 1',
    tests: ['test/runner/processes.test.ts'],
  },
  {
    name: 'runner: a pid is enough to be the process',
    file: 'src/runner/processes/members.ts',
    find: 'return processOf(pid)?.started === started',
    replace: 'return processOf(pid) !== undefined && started !== undefined',
    tests: ['test/runner/processes.test.ts'],
  },
  {
    name: 'runner: only the group is stopped',
    file: 'src/runner/processes/members.ts',
    find: 'const marked = isInGroup && isLed ? true : isMarked(seen.pid, run)',
    replace: 'const marked = isInGroup && isLed',
    tests: ['test/runner/processes.test.ts'],
  },
  {
    name: 'runner: output has no bound',
    file: 'src/runner/processes/output-file.ts',
    find: 'if (size <= this.#bytesMax) return 0',
    replace: 'if (size >= 0) return 0',
    tests: ['test/runner/output.test.ts'],
  },
  {
    name: 'runner: an agent gets the whole environment of the server',
    file: 'src/runner/supervision/agent-start.ts',
    find: 'return { ...passed, PATH, ...env.set }',
    replace: 'return { ...(ground.environment as Record<string, string>), ...passed, PATH, ...env.set }',
    tests: ['test/runner/supervision.test.ts'],
  },
  {
    name: 'runner: how an agent is to be launched is not known before the log says that it is',
    file: 'src/runner/supervision/root-supervisor.ts',
    find: "    for (const act of acts) if (act.act === 'launch') this.#intend(act)\n",
    replace: '',
    tests: ['test/runner/recovery.test.ts'],
  },
]
