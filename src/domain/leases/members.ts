import { text } from '../log/input-schema.ts'

export const leaseName = text('Name of the lease.', { max: 256 })
export const leaseHolder = text('Who.', { max: 256 })

/** In milliseconds: shorter than this a heartbeat would not come in time; longer is no lease. */
export const leaseTtl = { min: 50, max: 24 * 3_600_000 }
