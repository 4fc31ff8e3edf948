import type { LocalPerformer } from '../../../client/local.ts'
import { CairnRefusal } from '../../../domain/log/refusal.ts'
import type { Config } from '../../../home/config.ts'
import { sessionPause } from '../../../operations/workflow/steering/pause.ts'
import { printJson, printNote, printOut, safe } from '../output.ts'
import { terminalOf } from '../terminal.ts'
import { Interruption } from './interruption.ts'
import { lastLineSaid } from './last-line.ts'
import { progressOn } from './progress.ts'
import { isEnded, type StatusShown } from './status-shown.ts'
import { watchWorkflow } from './watching.ts'

export interface Following {
  readonly session: string
  readonly performer: LocalPerformer
  readonly config: Config
  readonly json: boolean
}

/** Shows how a workflow goes until it has ended, or until its agents were interrupted by Ctrl-C; answers with the exit code. */
export async function follow({ session, performer, config, json }: Following): Promise<number> {
  const interruption = new Interruption()
  const progress = progressOn(json ? 2 : 1, lastLineSaid(config.home))
  const pausing = interruptWhenAsked(interruption, performer, session)
  try {
    const status = await watchWorkflow({
      performer,
      session,
      progress,
      signal: new AbortController().signal,
      isOver: (each) => isEnded(each.session.status) || (interruption.isAsked && isStill(each)),
      notice: () =>
        interruption.isAsked ? 'Interrupting: agents are told to stop. Ctrl-C again leaves at once.' : undefined,
    })
    progress.close()
    await pausing.settled()
    return tellEnd(status, json)
  } finally {
    progress.close()
    interruption.close()
  }
}

/** Agents are interrupted, and stay so until somebody resumes them. */
function interruptWhenAsked({ asked }: Interruption, performer: LocalPerformer, session: string) {
  let pausing: Promise<unknown> = Promise.resolve()
  asked.signal.addEventListener('abort', () => {
    pausing = performer.execute(sessionPause, { session, interrupt: true }).catch((error: unknown) => {
      // It may have ended in this very moment.
      if (!(error instanceof CairnRefusal) || error.code !== 'illegal_transition') throw error
    })
  })
  return { settled: () => pausing }
}

/** Nothing runs any more. */
function isStill({ session, agents }: StatusShown): boolean {
  return session.status === 'paused' && !agents.some(({ status }) => status === 'running' || status === 'paused')
}

function tellEnd(status: StatusShown, json: boolean): number {
  const { session, agents } = status
  const code = session.status === 'completed' ? 0 : 1
  if (json) {
    printJson(answerOf(status))
    return code
  }
  const short = session.session_id.slice(-8)
  const terminal = terminalOf(1)
  if (!isEnded(session.status)) {
    printNote(`Interrupted. Go on with: cairn resume ${short}\n`)
    return code
  }
  for (const { id, reason } of agents.filter((agent) => agent.status === 'failed').slice(0, failedShownMax)) {
    printOut(
      `${terminal.paint('red', 'failed')} ${safe(id)}: ${safe(reason ?? 'no reason')} · cairn logs ${short} --agent ${safe(id)}\n`,
    )
  }
  if (session.status === 'failed') printOut(`Run it again from there: cairn retry ${short}\n`)
  return code
}

const failedShownMax = 10

/** What programs get, as CONTRACT has it. */
export function answerOf({ session, agents }: StatusShown) {
  return {
    session_id: session.session_id,
    status: session.status,
    agents: agents.map(({ id, name, session_id, status, exit_code, attempts }) => ({
      id,
      name,
      session_id,
      status,
      exit_code,
      attempts,
    })),
  }
}
