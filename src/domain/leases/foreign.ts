import type { Event } from '../log/event.ts'
import { type BodyShapes, checkBody, checkNoKey } from '../log/foreign-body.ts'
import { integer, object, text } from '../log/input-schema.ts'
import { keyBytesCeiling } from '../log/limits.ts'
import type { ForeignFacts } from '../log/part.ts'
import type { LeaseFact } from './facts.ts'
import { keyLeasePrefix } from './lease.ts'
import { leaseHolder, leaseTtl } from './members.ts'

/** The claim of a key has its prefix before the name. */
const name = text('Name of the lease.', { max: keyLeasePrefix.length + keyBytesCeiling })
const epoch = integer('Which claim.', { min: 1 })

const shapes: BodyShapes<LeaseFact> = {
  lease_claimed: object({ name, epoch, holder: leaseHolder, ttl_ms: integer('How long.', leaseTtl) }),
  lease_lost: object({ name, epoch }),
  lease_released: object({ name, epoch }),
}

/** Who holds what is in no log, so that only the bodies can be looked at. */
export const foreignLeases: ForeignFacts = {
  check: (_rows, event) => checkNoKey(event) ?? checkBody(shapes, event as Event & LeaseFact),
}
