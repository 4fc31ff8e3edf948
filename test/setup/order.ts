// The order of the files: those that take long come first, so that no process is left alone with one of them at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'model/model',
  'faults/dying',
  'linear/histories',
  'faults/calls',
  'postgres/network',
  'leases/processes',
  'together/agents',
  'crash/crash',
  'forks/dying',
  'model/at-once',
  'server/histories',
  'faults/migrating',
  'faults/restoring',
  'http/fuzz',
  'postgres/restarts',
  'postgres/crowd',
  'server/model',
  'client/feed-storm',
  'server/same-script',
  'together/idle',
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
