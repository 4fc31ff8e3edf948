import { useState } from 'react'
import { Link } from '../address/navigation.tsx'
import { live } from '../live/live.ts'
import type { RootShown } from '../live/live-roots.ts'
import { useSignal } from '../live/signal.ts'
import { NeedsEverywhere } from '../needs/needs-everywhere.tsx'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Empty, Failed, Waiting } from '../parts/notice.tsx'
import { Status } from '../parts/status.tsx'
import { Ago } from '../parts/time.tsx'
import { Activity } from './activity.tsx'
import { isUnfinished, projectName, titleOf } from './root-words.ts'

export function Home() {
  useSignal(live.roots.signal)
  const { roots } = live
  if (roots.failure !== undefined) return <Failed failure={roots.failure} again={() => void roots.read()} />
  if (!roots.isRead) return <Waiting what="the sessions" />
  const all = roots.list()
  return (
    <div className="page">
      <header className="page-head">
        <h1>Sessions</h1>
        <AsCommand words={['ls', '--all']} />
      </header>
      {all.length === 0 ? <EmptyStore /> : <Roots all={all} />}
    </div>
  )
}

function EmptyStore() {
  return (
    <Empty title="Nothing has been recorded in this store yet" command={['demo']}>
      See agents at work with this command, or start a piece of work of your own in a folder with{' '}
      <code>cairn session create TOPIC</code>.
    </Empty>
  )
}

function Roots({ all }: { all: readonly RootShown[] }) {
  const [project, setProject] = useState<string | undefined>()
  const folders = [...new Set(all.map(({ project_dir }) => project_dir))]
  const chosen = all.filter(({ project_dir }) => project === undefined || (project_dir ?? '') === project)
  return (
    <>
      <NeedsEverywhere />
      <Totals roots={chosen} />
      <Activity roots={chosen} />
      {folders.length > 1 && (
        <label className="filter">
          Project{' '}
          <select
            value={project ?? '*'}
            onChange={({ target }) => setProject(target.value === '*' ? undefined : target.value)}
          >
            <option value="*">all</option>
            {folders.map((folder) => (
              <option key={folder ?? ''} value={folder ?? ''}>
                {projectName(folder)}
              </option>
            ))}
          </select>
        </label>
      )}
      <RootTable title="Unfinished" roots={chosen.filter(isUnfinished)} empty="Nothing is under way." />
      <RootTable title="Ended" roots={chosen.filter((root) => !isUnfinished(root))} empty="Nothing has ended yet." />
    </>
  )
}

function Totals({ roots }: { roots: readonly RootShown[] }) {
  const counts = Map.groupBy(roots, ({ status }) => status)
  return (
    <ul className="totals" aria-label="Sessions by status">
      {[...counts].map(([status, own]) => (
        <li key={status}>
          <span className="count">{own.length}</span> <Status status={status} />
        </li>
      ))}
    </ul>
  )
}

const rowsAtFirst = 30

function RootTable({ title, roots, empty }: { title: string; roots: readonly RootShown[]; empty: string }) {
  const [count, setCount] = useState(rowsAtFirst)
  return (
    <section>
      <h2>
        {title} <span className="faint">{roots.length}</span>
      </h2>
      {roots.length === 0 ? (
        <p className="faint">{empty}</p>
      ) : (
        <ul className="root-list">
          {roots.slice(0, count).map((root) => (
            <RootLine key={root.session_id} root={root} />
          ))}
        </ul>
      )}
      {roots.length > count && (
        <button type="button" onClick={() => setCount(count + 100)}>
          Show more ({roots.length - count})
        </button>
      )}
    </section>
  )
}

function RootLine({ root }: { root: RootShown }) {
  return (
    <li>
      <Link to={{ page: 'session', root: root.session_id, tab: 'overview', query: {} }} className="root-line">
        <Status status={root.status} reason={root.reason} />
        <span className="root-title">
          {titleOf(root)}
          {root.objective !== null && root.objective !== root.topic && (
            <span className="faint root-objective"> {root.objective}</span>
          )}
        </span>
        <span className="faint root-project" title={root.project_dir ?? undefined}>
          {projectName(root.project_dir)}
        </span>
        <code className="faint">{shortId(root.session_id)}</code>
        <span className="faint root-time">
          <Ago time={root.last_event_at} />
        </span>
      </Link>
    </li>
  )
}
