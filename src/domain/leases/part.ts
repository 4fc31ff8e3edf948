import type { EvolvingOf } from '../log/evolve.ts'
import type { Part, Problem } from '../log/part.ts'
import { type Asking, ask } from '../log/questions.ts'
import { type LeaseFact, leaseStream } from './facts.ts'
import { foreignLeases } from './foreign.ts'
import { aboutLeases } from './questions.ts'
import { leases } from './tables.ts'

/** Who holds what is a plain row: a heartbeat is no event, and so a replay does not know it. */
const evolve: EvolvingOf<LeaseFact> = {
  lease_claimed: () => undefined,
  lease_lost: () => undefined,
  lease_released: () => undefined,
}

/** Exclusive rights for a time, with fencing. */
export const leasesPart: Part = {
  name: 'leases',
  owns: (stream) => stream === leaseStream,
  tables: [leases],
  evolve,
  bodies: 'kept',
  secrets: 'refuse',
  foreign: foreignLeases,
  *checks(): Asking<Problem[]> {
    const impossible = yield* ask(aboutLeases.impossible_leases)
    const what = 'has no session that can hold it, or no possible token or time'
    return impossible.map(({ id, name }) => ({ root: id, where: `leases ${name}`, what }))
  },
}
