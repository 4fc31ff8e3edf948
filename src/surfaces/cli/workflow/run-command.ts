import type { LocalPerformer } from '../../../client/local.ts'
import { CairnRefusal, Refusal } from '../../../domain/log/refusal.ts'
import { type Config, loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { projectHere } from '../../../home/session-meant.ts'
import type { JsonObject } from '../../../json/value.ts'
import { sessionCreate } from '../../../operations/sessions/create.ts'
import { sessionStart } from '../../../operations/workflow/steering/start.ts'
import { performerFor } from '../asking/ask.ts'
import { printJson, printOut } from '../output.ts'
import type { Called } from '../registry/own-command.ts'
import { answerOf, follow } from './following.ts'
import { type RunRequest, readRunRequest } from './run-request.ts'
import { serverOfRun } from './server-of-run.ts'
import type { StatusShown } from './status-shown.ts'
import { type WorkflowGiven, workflowFrom } from './workflow-file.ts'

/** `cairn run FILE`: reads a workflow, starts it, and shows how it goes until it has ended. */
export async function runRun(called: Called): Promise<number> {
  const { json, program } = called
  const request = readRunRequest(called)
  if (request.schema) return printSchema()
  const config = configOf(request)
  const given = await workflowFrom(request.file, config)
  const server = await serverOfRun(request, program)
  try {
    const performer = performerFor(request)
    try {
      const session = await begin(request, given, performer)
      if (request.detach) return await tellDetached(session, given, performer, json)
      return await follow({ session, performer, config, json })
    } finally {
      await performer.close()
    }
  } finally {
    await server.stop()
  }
}

async function printSchema(): Promise<number> {
  const { workflowSchema } = await import('../../../domain/workflow/file/schema.ts')
  printOut(`${JSON.stringify(workflowSchema, undefined, 2)}\n`)
  return 0
}

function configOf(request: RunRequest): Config {
  const { home, store } = destinationHere(request)
  const config = loadConfig({ home, store })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  return config
}

/** The root of the work, which has begun when this answers. */
async function begin(request: RunRequest, given: WorkflowGiven, performer: LocalPerformer): Promise<string> {
  const { maxParallel, name, requestId } = request
  const workflow: JsonObject = maxParallel === undefined ? given.value : { ...given.value, max_parallel: maxParallel }
  const created = await performer.execute(sessionCreate, {
    topic: given.topic,
    workflow,
    project: projectHere(),
    ...(name !== undefined && { name }),
    ...(requestId !== undefined && { request_id: requestId }),
  })
  const session = String(created.session_id)
  await performer.execute(sessionStart, {
    session,
    ...(requestId !== undefined && { request_id: `${requestId}/start` }),
  })
  return session
}

async function tellDetached(
  session: string,
  { read }: WorkflowGiven,
  performer: LocalPerformer,
  json: boolean,
): Promise<number> {
  if (json) {
    printJson(answerOf(await statusOf(performer, session)))
    return 0
  }
  const count = `${read.agents.length} ${read.agents.length === 1 ? 'agent' : 'agents'}`
  const short = session.slice(-8)
  printOut(
    `${session}\n${count} in the background: cairn watch ${short} · cairn logs ${short} -f · cairn pause ${short}\n`,
  )
  return 0
}

async function statusOf(performer: LocalPerformer, session: string): Promise<StatusShown> {
  const { sessionStatus } = await import('../../../operations/workflow/status.ts')
  return performer.execute(sessionStatus, { session })
}
