import { table } from '../log/tables.ts'

/** Somebody's exclusive right, for a time. Whoever claims it gets a higher token than all before. */
export interface LeaseRow {
  root: number
  name: string
  /** The fencing token. */
  token: number
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
    token: 'integer',
    session_no: 'integer',
    holder: 'text',
    ttl: 'integer',
    expires_at: 'integer',
    boot: 'text',
  },
  { view: false },
)
