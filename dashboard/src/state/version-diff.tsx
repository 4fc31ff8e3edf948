import { diffJson } from '../../../src/json/diff.ts'
import type { Json } from '../../../src/json/value.ts'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { Changes } from '../parts/changes.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'
import type { VersionShown } from './key-history.tsx'

/** What differs between two versions of a key; values that the list leaves out are read. */
export function VersionDiff({ name, versions }: { name: string; versions: readonly VersionShown[] }) {
  const { root } = useMoment()
  const [a, b] = [...versions].sort((one, other) => one.seq - other.seq) as [VersionShown, VersionShown]
  const readValue = async ({ value, deleted, seq }: VersionShown): Promise<Json | undefined> => {
    if (deleted || value !== undefined) return value
    return (await cairn.state.get({ session: root, key: name, at: seq })).value as Json
  }
  const compared = useAsked(`${root} ${name} ${a.seq} ${b.seq}`, async () => {
    const [before, after] = await Promise.all([readValue(a), readValue(b)])
    return diffJson(before, after)
  })
  return (
    <section className="diff" aria-label={`Version ${a.version} and version ${b.version}`}>
      <h4>
        v{a.version} → v{b.version}
      </h4>
      {compared.failure !== undefined && <Failed failure={compared.failure} />}
      {compared.answer === undefined ? <Waiting what="both versions" /> : <Changes changes={compared.answer} />}
    </section>
  )
}
