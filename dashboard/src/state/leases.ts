import { streams } from '../../../src/domain/log/tables.ts'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'

export interface Lease {
  readonly name: string
  readonly holder: string
  readonly held: boolean
  readonly expires_at: string | null
}

/** Who holds what at present; asked again when the log says that something was claimed or given back. */
export function useLeases(): ReadonlyMap<string, Lease> {
  const { root, at, rows } = useMoment()
  const version = rows?.get(streams, 'lease')?.version ?? 0
  const { answer } = useAsked(at === undefined ? `${root} leases ${version}` : undefined, () =>
    cairn.lease.list({ session: root }),
  )
  const all = (answer?.leases ?? []) as readonly Lease[]
  return new Map(all.filter(({ held }) => held).map((lease) => [lease.name, lease]))
}

export function claimOf(leases: ReadonlyMap<string, Lease>, key: string): Lease | undefined {
  return leases.get(`key/${key}`)
}
