// The order of the files: those that take long come first, so that no process is left alone with one of them at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'postgres/network',
  'dashboard/acting',
  'faults/dying',
  'adopt/dying',
  'model/model',
  'mcp/staying',
  'adopt/random',
  'runner/recovery',
  'runner/night',
  'forks/dying',
  'linear/histories',
  'agent/agent',
  'blobs/large',
  'leases/processes',
  'faults/calls',
  'hostile/unread',
  'forks/upkeep',
  'suite/run',
  'server/access',
  'faults/migrating',
  'cli/workflows',
  'server/same-script',
  'tokens/authority',
  'postgres/crowd',
  'crash/crash',
  'upkeep/doctor',
  'setup-command/set-up',
  'http/docs',
  'linear/feed',
  'runner/supervision',
  'cli/values',
  'forks/forks',
  'dashboard/moments',
  'http/fuzz',
  'forks/running',
  'blobs/upkeep',
  'together/idle',
  'setup-command/what-is-there',
  'client/feed-storm',
  'blobs/killed',
  'faults/upkeep',
  'readme',
  'hostile/pages',
  'server/model',
  'faults/flips',
].map((name) => `test/${name}.test.ts`)

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name))
      return at === -1 ? longest.length : at
    }
    return sorted.toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
