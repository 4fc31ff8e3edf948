import { table } from '../log/tables.ts'

/** Somebody's exclusive right, for a time. Whoever claims it gets a higher epoch than all before. */
export interface LeaseRow {
  root: number
  name: string
  /** How often it was claimed: the first half of the fencing token. */
  epoch: number
  /** Of the other half, a secret that is kept nowhere. */
  hash: string
  session_no: number
  /** Who holds it, in words; null when it was given back. */
  holder: string | null
  ttl: number
  /** Milliseconds of the store's own clock, in the life of the machine that `boot` names. */
  expires_at: number
  boot: string
}

export const leases = table<LeaseRow>(
  'leases',
  ['name'],
  {
    root: 'integer',
    name: 'text',
    epoch: 'integer',
    hash: 'hex',
    session_no: 'integer',
    holder: 'text',
    ttl: 'integer',
    expires_at: 'integer',
    boot: 'text',
  },
  { view: false },
)
