import { diffJson, type JsonChange } from '../../../src/json/diff.ts'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { type KeyShown, type Keys, readKeys } from '../live/keys.ts'
import { useMoment } from '../live/moment.tsx'
import { Changes } from '../parts/changes.tsx'
import { shortId } from '../parts/copy.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'

/** So many large values are read to be compared. */
const largeMax = 50

/** What differs in the shared state between this session and another of its family, as both are now. */
export function ForkDiff({ other, close }: { other: string; close: () => void }) {
  const { root } = useMoment()
  const read = useAsked(`${root} ${other}`, async () => {
    const [here, there] = await Promise.all([readKeys(root), readKeys(other)])
    return differences(root, here.keys, other, there.keys)
  })
  return (
    <section className="marks-diff" aria-label="What differs">
      <header className="marks-head">
        <h3>
          State here, {shortId(root)} → there, {shortId(other)}
        </h3>
        <button type="button" className="quiet close" onClick={close} aria-label="Close the comparison">
          ✕
        </button>
      </header>
      {read.failure !== undefined && <Failed failure={read.failure} again={read.again} />}
      {read.answer === undefined ? (
        read.failure === undefined && <Waiting what="both" />
      ) : (
        <Changes changes={read.answer} />
      )}
    </section>
  )
}

async function differences(here: string, ours: Keys, there: string, theirs: Keys) {
  const changes: (JsonChange & { key: string })[] = []
  let large = 0
  for (const key of [...new Set([...ours.keys(), ...theirs.keys()])].sort()) {
    const [a, b] = [ours.get(key), theirs.get(key)]
    // The same version, written at the same time: that is from before they parted.
    if (a !== undefined && b !== undefined && a.version === b.version && a.updated_at === b.updated_at) continue
    if ((a?.omitted || b?.omitted) && ++large > largeMax) continue
    const [before, after] = await Promise.all([readValue(here, a), readValue(there, b)])
    changes.push(...diffJson(before, after).map((change) => ({ ...change, key })))
  }
  return changes
}

async function readValue(session: string, key: KeyShown | undefined) {
  if (key === undefined || !key.omitted) return key?.value
  return (await cairn.state.get({ session, key: key.key })).value
}
