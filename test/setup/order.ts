// The order of the files: those that take long come first, so that no process is left alone with one of them at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'adopt/dying',
  'faults/dying',
  'adopt/random',
  'forks/dying',
  'runner/recovery',
  'model/model',
  'dashboard/acting',
  'postgres/network',
  'linear/histories',
  'faults/migrating',
  'crash/crash',
  'runner/night',
  'blobs/large',
  'mcp/staying',
  'forks/upkeep',
  'faults/calls',
  'server/access',
  'agent/agent',
  'upkeep/doctor',
  'tokens/authority',
  'faults/flips',
  'leases/processes',
  'cli/workflows',
  'server/model',
  'upkeep/erased-answers',
  'hostile/unread',
  'cli/past',
  'blobs/killed',
  'server/histories',
  'conversations/model',
  'faults/restoring',
  'postgres/crowd',
  'http/fuzz',
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
