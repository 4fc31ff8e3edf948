import { useState } from 'react'
import { elapsed } from '../../../src/web-clock.ts'
import type { Query } from '../address/address.ts'
import { show } from '../address/navigation.tsx'
import type { KeyShown } from '../live/keys.ts'
import { useKeys, useMoment } from '../live/moment.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Empty, Failed, Waiting } from '../parts/notice.tsx'
import { plain, sizeOf } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { ValueLine } from '../parts/value-line.tsx'
import { VirtualRows } from '../parts/virtual-rows.tsx'
import { namesById } from '../session/agents.ts'
import { claimOf, type Lease, useLeases } from './leases.ts'

/** So long a row shows that it changed. */
const flashMs = 1500
const rowHeight = 30
const columns = ['Key', 'Value', 'Version', 'Updated', 'By']

export function StateTab({ query }: { query: Query }) {
  const { keys, failure } = useKeys()
  const { root, at } = useMoment()
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState<'name' | 'changed'>('name')
  if (failure !== undefined) return <Failed failure={failure} />
  if (keys === undefined) return <Waiting what="the state" />
  const wanted = filter.toLowerCase()
  const shown = [...keys.values()].filter(({ key }) => key.toLowerCase().includes(wanted)).sort(orders[order])
  return (
    <div className="tab-body">
      <div className="tools">
        <input
          type="search"
          placeholder="Filter keys"
          aria-label="Filter keys"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <label>
          Order{' '}
          <select value={order} onChange={({ target }) => setOrder(target.value as typeof order)}>
            <option value="name">by name</option>
            <option value="changed">last changed first</option>
          </select>
        </label>
        <span className="faint" role="status">
          {shown.length === keys.size ? `${keys.size} keys` : `${shown.length} of ${keys.size} keys`}
        </span>
        <AsCommand words={['state', 'get', '--session', shortId(root), ...atFlag(at)]} />
      </div>
      {keys.size === 0 ? <NoState /> : <KeyTable keys={shown} selected={query.key} />}
    </div>
  )
}

const orders = {
  name: (a: KeyShown, b: KeyShown) => (a.key < b.key ? -1 : 1),
  changed: (a: KeyShown, b: KeyShown) =>
    (a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? 1 : -1) || (a.key < b.key ? -1 : 1),
}

function NoState() {
  const { root, at } = useMoment()
  if (at !== undefined) return <Empty title={`There was no state after event ${at}`} />
  return (
    <Empty title="There is no shared state yet" command={['state', 'set', 'KEY', 'VALUE', '--session', shortId(root)]}>
      What the agents of this session share appears here as soon as one of them writes it.
    </Empty>
  )
}

function KeyTable({ keys, selected }: { keys: readonly KeyShown[]; selected: string | undefined }) {
  const { rows } = useMoment()
  const names = namesById(rows)
  const leases = useLeases()
  const now = elapsed()
  const at = keys.findIndex(({ key }) => key === selected)
  return (
    <VirtualRows
      label="Keys"
      className="keys"
      columns={columns}
      count={keys.length}
      rowHeight={rowHeight}
      keyOf={(index) => `${keys[index]?.key} ${keys[index]?.version}`}
      rowClass={(index) => (now - (keys[index]?.heard ?? -flashMs) < flashMs ? 'flash' : '')}
      selected={at < 0 ? undefined : at}
      select={(index) => show({ key: keys[index]?.key })}
      cells={(index) => cellsOf(keys[index] as KeyShown, names, claimOf(leases, keys[index]?.key ?? ''))}
    />
  )
}

function cellsOf(key: KeyShown, names: ReadonlyMap<string, string>, claim: Lease | undefined): React.ReactNode[] {
  return [
    <span key="key" className="key-name" title={key.key}>
      {plain(key.key)}
      {claim && (
        <span className="tag" title={`Claimed by ${claim.holder}`}>
          claimed
        </span>
      )}
      {key.ephemeral && (
        <span className="tag" title="It goes when its session ends">
          ephemeral
        </span>
      )}
      {key.expires_at && (
        <span className="tag" title={`It expires ${key.expires_at}`}>
          expires
        </span>
      )}
    </span>,
    key.omitted ? (
      <span key="value" className="faint">
        {key.bytes === undefined ? 'more than 4 KiB' : sizeOf(key.bytes)}
      </span>
    ) : (
      <ValueLine key="value" value={key.value ?? null} />
    ),
    key.version,
    <Ago key="time" time={key.updated_at} />,
    <span key="by" className="who">
      {names.get(key.updated_by ?? '') ?? '–'}
    </span>,
  ]
}
