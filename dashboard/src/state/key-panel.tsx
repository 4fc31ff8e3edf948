import { useState } from 'react'
import type { Json } from '../../../src/json/value.ts'
import { show } from '../address/navigation.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import type { KeyShown } from '../live/keys.ts'
import { live } from '../live/live.ts'
import { useKeys, useMoment } from '../live/moment.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { Copy, shortId } from '../parts/copy.tsx'
import { JsonTree } from '../parts/json-tree.tsx'
import { Failed, Waiting } from '../parts/notice.tsx'
import { LongText, plain } from '../parts/text.tsx'
import { Ago, exact } from '../parts/time.tsx'
import { namesById } from '../session/agents.ts'
import { KeyActions } from './key-actions.tsx'
import { KeyHistory } from './key-history.tsx'
import { KeySchema } from './key-schema.tsx'
import { claimOf, useLeases } from './leases.ts'

export function KeyPanel({ name }: { name: string }) {
  const { root, at } = useMoment()
  const { keys } = useKeys()
  const found = keys?.get(name)
  return (
    <>
      <header className="inspector-head">
        <h2 title={name}>{plain(name)}</h2>
        <Copy text={name} what="the name of the key" />
        <button type="button" className="quiet close" onClick={() => show({ key: undefined })} aria-label="Close">
          ✕
        </button>
      </header>
      {keys !== undefined && found === undefined && (
        <p className="faint">
          {at === undefined ? 'There is no such key now.' : `There was no such key after event ${at}.`}
        </p>
      )}
      {found !== undefined && <Value found={found} />}
      {found !== undefined && at === undefined && live.about?.edits === true && <KeyActions found={found} />}
      <AsCommand words={['state', 'get', name, '--session', shortId(root), ...atFlag(at)]} />
      {keys !== undefined && <KeyHistory name={name} version={found?.version ?? 0} />}
      <KeySchema name={name} />
    </>
  )
}

/** The whole value; what the table leaves out is read. */
export function useWhole(found: KeyShown | undefined, at: number | undefined) {
  const { root } = useMoment()
  const isLeftOut = found?.omitted === true
  const place = at ?? found?.seq
  const read = useAsked(isLeftOut ? `${root} ${found.key} ${place} ${found.version}` : undefined, () =>
    cairn.state.get({ session: root, key: found?.key ?? '', ...(place === undefined ? {} : { at: place }) }),
  )
  const value: Json | undefined = isLeftOut ? (read.answer?.value as Json | undefined) : found?.value
  return { value, failure: read.failure }
}

function Value({ found }: { found: KeyShown }) {
  const { rows, at } = useMoment()
  const { value, failure } = useWhole(found, at)
  const claim = claimOf(useLeases(), found.key)
  const [isRaw, setRaw] = useState(false)
  const author = namesById(rows).get(found.updated_by ?? '') ?? 'unknown'
  return (
    <>
      <dl className="facts">
        <dt>version</dt>
        <dd>{found.version}</dd>
        <dt>updated</dt>
        <dd>
          <Ago time={found.updated_at} /> by {author}
          {found.seq !== undefined && `, event ${found.seq}`}
        </dd>
        {claim !== undefined && (
          <>
            <dt>claimed</dt>
            <dd>by {claim.holder}</dd>
          </>
        )}
        {found.expires_at !== undefined && (
          <>
            <dt>expires</dt>
            <dd>{exact(found.expires_at)}</dd>
          </>
        )}
      </dl>
      {failure !== undefined && <Failed failure={failure} />}
      {value === undefined && failure === undefined && <Waiting what="the value" />}
      {value !== undefined && (
        <section className="value-box" aria-label="Value">
          <div className="value-tools">
            <button type="button" className="quiet" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
              {isRaw ? 'As a tree' : 'As text'}
            </button>
            <Copy text={JSON.stringify(value)} what="the value" />
          </div>
          {isRaw ? (
            <LongText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} />
          ) : (
            <JsonTree value={value} />
          )}
        </section>
      )}
    </>
  )
}
