import { show } from '../address/navigation.tsx'
import { StatusShape } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import type { Node } from './agent-graph.ts'

const width = 208
const height = 56
const gapX = 44
const gapY = 12

/** More agents than this are a list: nobody reads a graph of a thousand. */
const graphMax = 150

export function AgentGraph({ nodes, selected }: { nodes: readonly Node[]; selected: string | undefined }) {
  if (nodes.length > graphMax) return <AgentList nodes={nodes} selected={selected} />
  const places = new Map(nodes.map((node) => [node.row.no, node]))
  const columns = Math.max(...nodes.map(({ column }) => column)) + 1
  const lines = Math.max(...nodes.map(({ line }) => line)) + 1
  const size = { width: columns * (width + gapX) - gapX, height: lines * (height + gapY) - gapY }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
    <section className="graph" tabIndex={0} aria-label="Graph of agents">
      <div className="graph-all" style={size}>
        <svg {...size} aria-hidden="true">
          {nodes.flatMap((node) =>
            node.before.map((no) => {
              const from = places.get(no)
              return from && <path key={`${no} ${node.row.no}`} className="stroke" d={edge(from, node)} />
            }),
          )}
        </svg>
        {nodes.map((node) => (
          <AgentNode key={node.row.no} node={node} isSelected={node.row.id === selected} />
        ))}
      </div>
    </section>
  )
}

function placeOf({ column, line }: Node): { left: number; top: number } {
  return { left: column * (width + gapX), top: line * (height + gapY) }
}

function edge(from: Node, to: Node): string {
  const [a, b] = [placeOf(from), placeOf(to)]
  const [x1, y1, x2, y2] = [a.left + width, a.top + height / 2, b.left, b.top + height / 2]
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

function AgentNode({ node, isSelected }: { node: Node; isSelected: boolean }) {
  const { row } = node
  return (
    <button
      type="button"
      className={`node ${row.status}`}
      style={{ ...placeOf(node), width, height }}
      aria-pressed={isSelected}
      onClick={() => show({ agent: isSelected ? undefined : row.id, key: undefined, event: undefined })}
    >
      <AgentWords node={node} />
    </button>
  )
}

function AgentWords({ node: { row, name, role, parked, attempts } }: { node: Node }) {
  return (
    <>
      <span className="node-name">
        <StatusShape status={row.status} />
        <strong>{plain(name)}</strong>
      </span>
      <span className="node-words faint">
        {parked === undefined ? row.status : `waits: ${parked}`}
        {role !== undefined && ` · ${plain(role)}`}
        {attempts > 1 && ` · attempt ${attempts}`}
      </span>
    </>
  )
}

function AgentList({ nodes, selected }: { nodes: readonly Node[]; selected: string | undefined }) {
  return (
    <ul className="agent-list">
      {nodes.map((node) => (
        <li key={node.row.no}>
          <button
            type="button"
            aria-pressed={node.row.id === selected}
            onClick={() => show({ agent: node.row.id, key: undefined, event: undefined })}
          >
            <AgentWords node={node} />
          </button>
        </li>
      ))}
    </ul>
  )
}
