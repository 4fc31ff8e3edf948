import { phasesOf } from '../../../src/domain/plan/phases.ts'
import { runs } from '../../../src/domain/runs/tables.ts'
import type { Query } from '../address/address.ts'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { NeedsHere } from '../needs/needs-here.tsx'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Empty } from '../parts/notice.tsx'
import { Status, StatusShape } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { graphOf, type Node } from './agent-graph.ts'
import { AgentGraph } from './agent-graph-view.tsx'
import { RunTimeline } from './run-timeline.tsx'

/** What every agent is doing. */
export function OverviewTab({ query }: { query: Query }) {
  const { rows, root, at } = useMoment()
  if (rows === undefined) return null
  const nodes = graphOf(rows)
  return (
    <div className="overview">
      <NeedsHere />
      <Phases rows={rows} />
      <section aria-label="Agents">
        <div className="section-head">
          <h2>Agents</h2>
          <Roles nodes={nodes} />
          <AsCommand words={['tree', shortId(root), ...atFlag(at)]} />
        </div>
        {nodes.length === 0 ? (
          <Empty
            title="No agents yet"
            command={['session', 'create', 'TOPIC', '--parent', shortId(root), '--name', 'NAME']}
          >
            Sessions below this one appear here: those that a workflow starts, and those that agents make themselves.
          </Empty>
        ) : (
          <AgentGraph nodes={nodes} selected={query.agent} />
        )}
      </section>
      {rows.all(runs).length > 0 && (
        <section aria-label="Runs">
          <div className="section-head">
            <h2>Runs</h2>
            <AsCommand words={['session', 'runs', shortId(root), ...atFlag(at)]} />
          </div>
          <RunTimeline rows={rows} selected={query.agent} />
        </section>
      )}
    </div>
  )
}

/** Only where something became of one: what is merely planned is no news. */
function Phases({ rows }: { rows: RootRows }) {
  const all = phasesOf(rows)
  if (all.every(({ state }) => state === 'planned')) return null
  return (
    <ol className="phases" aria-label="Phases">
      {all.map(({ phase, name, state, reason }) => (
        <li key={phase} className={state} title={reason ?? undefined}>
          <StatusShape status={state} />
          <span>{plain(name)}</span>
          <span className="faint">{state}</span>
        </li>
      ))}
    </ol>
  )
}

function Roles({ nodes }: { nodes: readonly Node[] }) {
  const roles = Map.groupBy(
    nodes.filter(({ role }) => role !== undefined),
    ({ role }) => role as string,
  )
  const statuses = Map.groupBy(nodes, ({ row }) => row.status)
  return (
    <ul className="roles">
      {[...statuses].map(([status, own]) => (
        <li key={status}>
          {own.length} <Status status={status} />
        </li>
      ))}
      {[...roles].map(([role, own]) => (
        <li key={role} className="faint">
          {own.length} {plain(role)}
        </li>
      ))}
    </ul>
  )
}
