import { useState } from 'react'
import type { Json } from '../../../src/json/value.ts'
import { show } from '../address/navigation.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'
import { plain } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { ValueLine } from '../parts/value-line.tsx'
import { namesById } from '../session/agents.ts'
import { VersionDiff } from './version-diff.tsx'

export interface VersionShown {
  readonly version: number
  readonly seq: number
  readonly type: string
  readonly value?: Json
  readonly deleted?: true
  readonly updated_at: string
  readonly updated_by: string | null
  readonly session_name: string | null
  readonly actor: string
}

interface Why {
  readonly seq: number
  readonly did: string
  readonly session_id: string | null
  readonly message?: { readonly sequence_number: number; readonly tool: string; readonly text: string }
}

const pageUsual = 20

/** Every version of a key with who made it and why; two of them can be compared. */
export function KeyHistory({ name, version }: { name: string; version: number }) {
  const { root, at } = useMoment()
  const [limit, setLimit] = useState(pageUsual)
  const [marked, setMarked] = useState<readonly VersionShown[]>([])
  const moment = at === undefined ? {} : { at }
  const asked = { session: root, key: name, ...moment }
  const versions = useAsked(`${root} ${name} ${at} ${version} ${limit}`, () => cairn.state.history({ ...asked, limit }))
  const why = useAsked(`${root} ${name} ${at} ${version}`, () => cairn.state.why({ ...asked, limit: pageUsual }))
  if (versions.failure?.code === 'key_not_found') return null
  if (versions.failure !== undefined) return <Failed failure={versions.failure} />
  if (versions.answer === undefined) return <Waiting what="the history" />
  const reasons = new Map(((why.answer?.events ?? []) as unknown as Why[]).map((reason) => [reason.seq, reason]))
  const list = versions.answer.versions as unknown as readonly VersionShown[]
  const mark = (each: VersionShown) => {
    const others = marked.filter(({ seq }) => seq !== each.seq)
    setMarked(others.length < marked.length ? others : [...marked.slice(-1), each])
  }
  return (
    <section>
      <h3>History</h3>
      <p className="faint">Mark two versions to compare them.</p>
      {marked.length === 2 && <VersionDiff name={name} versions={marked} />}
      <ol className="versions">
        {list.map((each) => (
          <Version
            key={each.seq}
            shown={each}
            why={reasons.get(each.seq)}
            isMarked={marked.some(({ seq }) => seq === each.seq)}
            mark={() => mark(each)}
          />
        ))}
      </ol>
      {versions.answer.has_more === true && (
        <button type="button" onClick={() => setLimit(limit + 100)}>
          Earlier versions
        </button>
      )}
      <AsCommand words={['state', 'history', name, '--session', shortId(root), ...atFlag(at)]} />
    </section>
  )
}

interface VersionProps {
  readonly shown: VersionShown
  readonly why: Why | undefined
  readonly isMarked: boolean
  readonly mark: () => void
}

function Version({ shown, why, isMarked, mark }: VersionProps) {
  const { version, seq, type, value, deleted, updated_at, updated_by, session_name, actor } = shown
  const name = namesById(useMoment().rows).get(updated_by ?? '') ?? session_name ?? actor
  return (
    <li className={isMarked ? 'marked' : ''}>
      <label className="version-head">
        <input type="checkbox" checked={isMarked} onChange={mark} aria-label={`Compare version ${version}`} />
        <strong>v{version}</strong> <span className="change-op">{type}</span>
        <span className="who" title={actor}>
          {plain(name)}
        </span>
        <Ago time={updated_at} />
        <button
          type="button"
          className="quiet"
          onClick={() => show({ at: seq }, 'push')}
          title="Show everything as it was then"
        >
          event {seq}
        </button>
      </label>
      {deleted ? (
        <span className="faint">deleted</span>
      ) : value === undefined ? (
        <span className="faint">more than 4 KiB</span>
      ) : (
        <ValueLine value={value} />
      )}
      {why?.message !== undefined && (
        <p className="why">
          <span className="faint">because of</span>{' '}
          <button
            type="button"
            className="quiet"
            onClick={() =>
              show(
                {
                  tab: 'conversations',
                  agent: why.session_id ?? undefined,
                  point: why.message?.sequence_number,
                  key: undefined,
                },
                'push',
              )
            }
          >
            {plain(why.message.tool)}
          </button>
          {why.message.text !== '' && <> “{plain(why.message.text)}”</>}
        </p>
      )}
    </li>
  )
}
