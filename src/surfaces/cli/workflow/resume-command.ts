import type { LocalPerformer } from '../../../client/local.ts'
import { systemClock } from '../../../clock.ts'
import { CairnRefusal, Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { sessionList } from '../../../operations/sessions/read.ts'
import { sessionStatus } from '../../../operations/workflow/status.ts'
import { sessionResume } from '../../../operations/workflow/steering/resume.ts'
import { performerFor } from '../asking/ask.ts'
import { printJson, printOut, safe } from '../output.ts'
import { argumentsOf, isSet } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { resumeByJournal } from '../resume/journal-resume.ts'
import { stateText } from './agent-line.ts'
import { answerOf, follow } from './following.ts'
import { serverOfRun } from './server-of-run.ts'
import { isEnded, type StatusShown } from './status-shown.ts'

/** The newest first: nobody has more that are unfinished. */
const rootsMax = 1000

interface ResumeRequest {
  readonly home: string | undefined
  readonly store: string | undefined
  readonly session: string | undefined
  /** Part of it: what is left out goes on where it is. */
  readonly part: { readonly agent?: string; readonly phase?: string }
  readonly dryRun: boolean
  readonly detach: boolean
}

/** `cairn resume [ID]`: what was paused or interrupted goes on; what has completed is not repeated. */
export async function runResume(called: Called): Promise<number> {
  const { json, program } = called
  const request = readResumeRequest(called)
  const config = loadConfig(destinationHere(request))
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const plan = await planned(request)
  const [only] = plan
  if (request.session !== undefined && only?.agents.length === 0) return byJournal(request, only, json)
  if (!json) for (const each of plan) show(each)
  if (request.dryRun || plan.length === 0) return tellPlan(plan, json)
  const server = await serverOfRun(request, program)
  const performer = performerFor(request)
  try {
    const sessions = await resumed(request, plan, performer)
    const waits = !request.detach && !server.staysWithout
    const statuses: StatusShown[] = []
    let code = 0
    for (const session of sessions) {
      if (waits) code = Math.max(code, await follow({ session, performer, config, json }))
      else statuses.push(await statusOf(performer, session))
    }
    if (!waits && json) printJson({ resumed: statuses.map(answerOf) })
    else if (!waits) printOut('They go on in the background: cairn watch shows how.\n')
    return code
  } finally {
    await performer.close()
    await server.stop()
  }
}

/** What has no agents is worked on by whoever asks: that one is told where it stands. */
async function byJournal(request: ResumeRequest, { session }: StatusShown, json: boolean): Promise<number> {
  const performer = performerFor(request)
  try {
    return await resumeByJournal(performer, session.session_id, { json, dryRun: request.dryRun })
  } finally {
    await performer.close()
  }
}

function readResumeRequest(called: Called): ResumeRequest {
  const given = argumentsOf(called)
  const { flags, places, home, store } = given
  const [named] = places
  const [agent, phase] = [flags.get('agent'), flags.get('phase')]
  return {
    home,
    store,
    session: named ?? flags.get('session'),
    part: { ...(agent !== undefined && { agent }), ...(phase !== undefined && { phase }) },
    dryRun: isSet(given, 'dry-run'),
    detach: isSet(given, 'detach'),
  }
}

/** The roots that are to go on: the one that was named, else all unfinished workflows. */
async function planned(request: ResumeRequest): Promise<StatusShown[]> {
  const performer = performerFor(request)
  try {
    if (request.session !== undefined) return [await statusOf(performer, request.session)]
    const { sessions } = await performer.execute(sessionList, { limit: rootsMax })
    const found: StatusShown[] = []
    for (const { session_id: root } of sessions) found.push(await statusOf(performer, root))
    // A root without agents is worked on by whoever does so; one that was not started waits for that.
    return found.filter(({ session, agents }) => agents.length > 0 && session.status !== 'created')
  } finally {
    await performer.close()
  }
}

function statusOf(performer: LocalPerformer, session: string): Promise<StatusShown> {
  return performer.execute(sessionStatus, { session })
}

/** What runs anyway is not told again, unless it was named. */
async function resumed(
  { session: named, part }: ResumeRequest,
  plan: readonly StatusShown[],
  performer: LocalPerformer,
): Promise<string[]> {
  for (const { session } of plan) {
    if (named === undefined && session.status === 'running') continue
    await performer.execute(sessionResume, { session: session.session_id, ...part })
  }
  return plan.map(({ session }) => session.session_id)
}

function show({ session, agents }: StatusShown): void {
  const now = systemClock().now()
  const open = agents.filter(({ status }) => !isEnded(status))
  const done = agents.filter(({ status }) => status === 'completed').length
  printOut(`${session.session_id.slice(-8)}  ${safe(session.topic)}: ${done} of ${agents.length} completed stay so\n`)
  for (const agent of open) printOut(`  ${safe(agent.id)}: ${safe(stateText(agent, now))}\n`)
}

function tellPlan(plan: readonly StatusShown[], json: boolean): number {
  if (json) printJson({ would_resume: plan.map(answerOf) })
  else if (plan.length === 0) printOut('Nothing is left to go on with.\n')
  return 0
}
