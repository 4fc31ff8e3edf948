import { useState } from 'react'
import type { Address } from '../address/address.ts'
import { Link } from '../address/navigation.tsx'
import { projectName, titleOf } from '../home/root-words.ts'
import { live } from '../live/live.ts'
import type { RootShown } from '../live/live-roots.ts'
import { useSignal } from '../live/signal.ts'
import { StatusShape } from '../parts/status.tsx'
import { LogOut } from './log-out.tsx'

/** As many as are shown of a project before more are asked for. */
const rootsShown = 12

export function Sidebar({ address }: { address: Address }) {
  useSignal(live.roots.signal)
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const roots = live.roots.list().filter((root) => wordsOf(root).includes(wanted))
  const projects = Map.groupBy(roots, ({ project_dir }) => project_dir)
  const open = address.page === 'session' ? address.root : undefined
  return (
    <nav className="side" aria-label="Projects and sessions">
      <Link to={{ page: 'home' }} className="brand" current={address.page === 'home'}>
        <img src="/docs/icon.svg" alt="" width="20" height="20" /> Cairn
      </Link>
      <input
        type="search"
        placeholder="Filter sessions"
        aria-label="Filter sessions"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
      />
      <div className="side-list">
        {[...projects].map(([project, own]) => (
          <Project key={project ?? ''} name={projectName(project)} folder={project} roots={own} open={open} />
        ))}
        {roots.length === 0 && live.roots.isRead && <p className="faint">No session matches.</p>}
      </div>
      <div className="side-foot">
        <Link to={{ page: 'health' }} current={address.page === 'health'}>
          Health
        </Link>
        <LogOut />
      </div>
    </nav>
  )
}

interface ProjectProps {
  readonly name: string
  readonly folder: string | null
  readonly roots: readonly RootShown[]
  readonly open: string | undefined
}

function Project({ name, folder, roots, open }: ProjectProps) {
  const [count, setCount] = useState(rootsShown)
  return (
    <details open>
      <summary title={folder ?? undefined}>{name}</summary>
      <ul>
        {roots.slice(0, count).map((root) => (
          <li key={root.session_id}>
            <Link
              to={{ page: 'session', root: root.session_id, tab: 'overview', query: {} }}
              current={root.session_id === open}
            >
              <StatusShape status={root.status} />
              <span className="side-title">{titleOf(root)}</span>
              <span className="hidden">, {root.status}</span>
            </Link>
          </li>
        ))}
      </ul>
      {roots.length > count && (
        <button type="button" className="quiet" onClick={() => setCount(count + 50)}>
          {roots.length - count} more
        </button>
      )}
    </details>
  )
}

function wordsOf({ topic, objective, slug, session_id, project_dir }: RootShown): string {
  return [topic, objective, slug, session_id, project_dir].join(' ').toLowerCase()
}
