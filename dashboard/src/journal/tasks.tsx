import { phasesOf } from '../../../src/domain/plan/phases.ts'
import { plans, type TaskProgressRow, type TaskRow, taskProgress, tasks } from '../../../src/domain/plan/tables.ts'
import { afterOf, taskId } from '../../../src/domain/plan/task.ts'
import { useMoment } from '../live/moment.tsx'
import type { RootRows } from '../live/root-rows.ts'
import { AsCommand, atFlag } from '../parts/command.tsx'
import { shortId } from '../parts/copy.tsx'
import { Status } from '../parts/status.tsx'
import { plain } from '../parts/text.tsx'
import { namesByNo } from '../session/agents.ts'

/** As many as are shown of one wave. */
const shownMax = 100

/** The tasks by phase, plan and wave: those of a wave can be done at once. */
export function Tasks({ rows }: { rows: RootRows }) {
  const { root, at } = useMoment()
  const all = rows.all(tasks)
  if (all.length === 0) return null
  const phaseNames = new Map(phasesOf(rows).map(({ phase, name }) => [phase, name]))
  const planNames = new Map(rows.all(plans).map(({ phase, plan, name }) => [`${phase} ${plan}`, name]))
  const waves = Map.groupBy(
    all.toSorted((a, b) => a.phase - b.phase || a.plan - b.plan || a.wave - b.wave || a.task - b.task),
    ({ phase, plan, wave }) => `${phase} ${plan} ${wave}`,
  )
  const done = all.filter(({ task }) => rows.get(taskProgress, task)?.status === 'done').length
  return (
    <section aria-label="Tasks">
      <div className="section-head">
        <h2>
          Tasks{' '}
          <span className="faint">
            {done} of {all.length} done
          </span>
        </h2>
        <AsCommand words={['task', 'ls', '--session', shortId(root), ...atFlag(at)]} />
      </div>
      {[...waves].map(([name, own]) => {
        const [first] = own as [TaskRow]
        const titles = [
          phaseNames.get(first.phase),
          planNames.get(`${first.phase} ${first.plan}`),
          `wave ${first.wave}`,
        ]
        return (
          <div key={name} className="wave">
            <h3>
              {titles
                .filter((title) => title !== undefined)
                .map(plain)
                .join(' · ')}
            </h3>
            <ul className="entries">
              {own.slice(0, shownMax).map((row) => (
                <Task key={row.task} row={row} progress={rows.get(taskProgress, row.task)} names={namesByNo(rows)} />
              ))}
            </ul>
            {own.length > shownMax && <p className="faint">and {own.length - shownMax} more</p>}
          </div>
        )
      })}
    </section>
  )
}

interface TaskProps {
  readonly row: TaskRow
  readonly progress: TaskProgressRow | undefined
  readonly names: ReadonlyMap<number, string>
}

function Task({ row, progress, names }: TaskProps) {
  const after = afterOf(row)
  const by = progress?.claimed_by
  return (
    <li className="task">
      <Status status={progress?.status ?? 'open'} reason={progress?.reason} />
      <code>{taskId(row.task)}</code>
      <span className="task-text">{plain(row.text)}</span>
      <span className="faint">
        {by !== null && by !== undefined && names.get(by)}
        {progress?.status === 'open' && progress.waits > 0 && ` after ${after.map(taskId).join(', ')}`}
        {progress?.reason !== null && progress?.reason !== undefined && ` ${plain(progress.reason)}`}
      </span>
    </li>
  )
}
