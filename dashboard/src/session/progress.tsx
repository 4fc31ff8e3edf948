import { streams } from '../../../src/domain/log/tables.ts'
import { runs } from '../../../src/domain/runs/tables.ts'
import { UsageWords, usageOf } from '../conversations/usage.tsx'
import { useAsked } from '../live/asked.ts'
import { cairn } from '../live/calls.ts'
import { useMoment } from '../live/moment.tsx'
import { Ago } from '../parts/time.tsx'

/** How far it is, when it should be done, and what it used so far. */
export function Progress() {
  const { rows, root, at } = useMoment()
  const own = rows?.all(runs) ?? []
  // It moves with what the workflow and the plan say, and with what becomes of the session.
  const moved = ['workflow', 'plan', 'session/0'].map((stream) => rows?.get(streams, stream)?.version ?? 0).join(' ')
  const { answer } = useAsked(`${root} ${at} status ${moved}`, () =>
    cairn.session.status({ session: root, ...(at === undefined ? {} : { at }) }),
  )
  const share = answer?.progress as number | null | undefined
  const isPlanned = answer !== undefined && (answer.agents.length > 0 || (share ?? 0) > 0)
  return (
    <>
      {isPlanned && share !== null && share !== undefined && (
        <span className="progress">
          <progress max={1} value={share} aria-label="Progress" /> {Math.round(share * 100)} %
        </span>
      )}
      {typeof answer?.estimated_completion === 'string' && (
        <span>
          done <Ago time={answer.estimated_completion} />
        </span>
      )}
      <UsageWords usage={usageOf(own)} />
    </>
  )
}
