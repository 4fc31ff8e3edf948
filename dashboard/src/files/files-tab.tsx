import { useState } from 'react'
import { streams } from '../../../src/domain/log/tables.ts'
import { commits, manifests } from '../../../src/domain/manifest/tables.ts'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { AsCommand } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Empty, Failed, Waiting } from '../parts/notice.tsx'
import { LongText, plain, sizeOf } from '../parts/text.tsx'
import { Ago } from '../parts/time.tsx'
import { namesByNo } from '../session/agents.ts'

interface File {
  readonly path: string
  readonly bytes: number
}

/** What stands in the folder of the session, and the commits that were recorded. Files are shown as text, whatever is in them. */
export function FilesTab() {
  const { rows, root } = useMoment()
  if (rows === undefined) return null
  return (
    <div className="overview">
      <Commits rows={rows} />
      <Folder root={root} rows={rows} />
    </div>
  )
}

/** The files are those of now: the log keeps what they are made from, not the files. */
function Folder({ root, rows }: { root: string; rows: RootRows }) {
  const { at } = useMoment()
  const [chosen, setChosen] = useState<string>()
  const moved = ['plan', 'journal', 'manifest', 'session/0'].map((stream) => rows.get(streams, stream)?.version ?? 0)
  const read = useAsked(`${root} files ${moved.join(' ')}`, () => cairn.folder.list({ session: root }))
  if (at !== undefined) {
    return (
      <Empty title="The files of the folder are those of now">
        Go to now to see them; the log has what they are made from.
      </Empty>
    )
  }
  if (read.failure?.code === 'not_found') {
    return (
      <Empty title="This session has no folder">
        A project has folders for its sessions once it was set up with <code>cairn init</code>.
      </Empty>
    )
  }
  if (read.failure !== undefined) return <Failed failure={read.failure} again={read.again} />
  if (read.answer === undefined) return <Waiting what="the files" />
  const files = read.answer.files as unknown as readonly File[]
  if (files.length === 0) {
    return (
      <Empty title="This session has no files" command={['init']}>
        A project has a folder for its sessions once it was set up with this command.
      </Empty>
    )
  }
  return (
    <section aria-label="Files">
      <div className="section-head">
        <h2>
          Files <span className="faint">{files.length}</span>
        </h2>
        <button type="button" onClick={read.again}>
          Look again
        </button>
        <AsCommand words={['folder', 'ls', '--session', shortId(root)]} />
      </div>
      <div className="files">
        <ul>
          {files.map(({ path, bytes }) => (
            <li key={path}>
              <button type="button" className="quiet" aria-pressed={path === chosen} onClick={() => setChosen(path)}>
                {plain(path)}
              </button>
              <span className="faint">{sizeOf(bytes)}</span>
            </li>
          ))}
        </ul>
        {chosen !== undefined && <FileText key={chosen} root={root} path={chosen} moved={moved.join(' ')} />}
      </div>
    </section>
  )
}

function FileText({ root, path, moved }: { root: string; path: string; moved: string }) {
  const read = useAsked(`${root} ${path} ${moved}`, () => cairn.folder.read({ session: root, path }))
  if (read.failure !== undefined) return <Failed failure={read.failure} again={read.again} />
  const { answer } = read
  if (answer === undefined) return <Waiting what={path} />
  return (
    <section className="file-text" aria-label={path}>
      {'text' in answer ? <LongText text={String(answer.text)} /> : <p className="faint">This file is no text.</p>}
    </section>
  )
}

function Commits({ rows }: { rows: RootRows }) {
  const all = rows.all(commits).sort((a, b) => b.no - a.no)
  const [git] = rows.all(manifests)
  if (all.length === 0 && git?.branch == null) return null
  return (
    <section aria-label="Commits">
      <h2>
        Commits{' '}
        <span className="faint">{git?.branch == null ? all.length : `${all.length}, on ${plain(git.branch)}`}</span>
      </h2>
      <ul className="entries">
        {all.slice(0, 200).map(({ sha, message, recorded_at, recorded_by }) => (
          <li key={sha} className="need-head">
            <code>{sha.slice(0, 10)}</code>
            <span className="task-text">{plain(message)}</span>
            <span className="faint">
              {namesByNo(rows).get(recorded_by)}, <Ago time={recorded_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
