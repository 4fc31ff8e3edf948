import type { Host } from '../../operations/host-port.ts'
import type { OwnFiles } from '../upkeep/doctor.ts'
import type { InstallToken } from './tokens.ts'

/** What the owner of a store has beside it. */
export interface Owner {
  readonly token: InstallToken
  readonly files: OwnFiles
  readonly host: Host
}
