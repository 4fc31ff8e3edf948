import { text } from '../log/input-schema.ts'
import { refuseControls } from '../log/text/plain-text.ts'

export const leaseName = text('Name of the lease.', { max: 256, check: refuseControls('The name', 'name') })
export const leaseHolder = text('Who.', { max: 256, check: refuseControls('The holder', 'holder') })

/** In milliseconds: shorter than this a heartbeat would not come in time; longer is no lease. */
export const leaseTtl = { min: 50, max: 24 * 3_600_000 }
