import type { Event } from '../log/event.ts'
import { checkBody, checkNoKey, impossible } from '../log/foreign-body.ts'
import { foldName } from '../log/identity.ts'
import type { ForeignFacts } from '../log/part.ts'
import type { Refusal } from '../log/refusal.ts'
import type { Rows } from '../log/rows.ts'
import { runs } from '../runs/tables.ts'
import { sessionNames, sessions } from '../sessions/tables.ts'
import { bodies } from './bodies.ts'
import { type WorkflowFact, workflowStream } from './facts.ts'
import { progressOf } from './progress.ts'
import { agents, workflows } from './tables.ts'

type WorkflowEvent = Event & WorkflowFact
type Of<Type extends WorkflowFact['type']> = Extract<WorkflowEvent, { type: Type }>

/** Whether a root could have recorded this of its workflow. */
export const foreignWorkflow: ForeignFacts = {
  check(rows, given, limits) {
    const event = given as WorkflowEvent
    const refusal = checkNoKey(event) ?? checkBody(bodies, event, limits)
    if (refusal) return refusal
    if (event.stream !== workflowStream)
      return impossible(`The type ${event.type} belongs to the stream ${workflowStream}.`)
    return checkFitting(rows, event)
  },
}

function checkFitting(rows: Rows, event: WorkflowEvent): Refusal | undefined {
  switch (event.type) {
    case 'workflow_set':
      return rows.get(workflows) && impossible('This root already has a workflow.')
    case 'workflow_extended':
      return rows.get(workflows) ? undefined : impossible('This root has no workflow.')
    case 'agent_added':
      return checkAdded(rows, event)
    case 'checkpoint_taken':
      return checkCheckpoint(rows, event)
    case 'recovery_planned':
      return event.data.steps.map(({ agent }) => checkAgent(rows, agent)).find((refusal) => refusal !== undefined)
    default:
      return checkAgent(rows, event.data.agent) ?? checkRun(rows, event)
  }
}

function checkAdded(rows: Rows, { data: { agent, id } }: Of<'agent_added'>): Refusal | undefined {
  if (rows.get(workflows) === undefined) return impossible('This root has no workflow.')
  if (agent === 0 || rows.get(sessions, agent) === undefined) return impossible(`There is no session ${agent}.`)
  if (rows.get(agents, agent)) return impossible(`Session ${agent} is an agent already.`)
  return rows.get(sessionNames, foldName(id)) && impossible(`A session named ${JSON.stringify(id)} already exists.`)
}

function checkAgent(rows: Rows, agent: number): Refusal | undefined {
  return rows.get(agents, agent) ? undefined : impossible(`There is no agent ${agent}.`)
}

type OfAgent = Exclude<
  WorkflowEvent,
  Of<'workflow_set' | 'workflow_extended' | 'agent_added' | 'checkpoint_taken' | 'recovery_planned'>
>

function checkRun(rows: Rows, event: OfAgent): Refusal | undefined {
  const { run } = progressOf(rows, event.data.agent)
  if (event.type === 'agent_exited' && event.data.run !== run)
    return impossible(`The run ${event.data.run} is not open.`)
  if (event.type === 'agent_paused' && run === null) return impossible(`Agent ${event.data.agent} has no open run.`)
  if (event.type !== 'agent_started') return undefined
  if (run !== null) return impossible(`Agent ${event.data.agent} has an open run.`)
  return rows.get(runs, event.data.agent, event.data.run)?.ended_at === null
    ? undefined
    : impossible(`The run ${event.data.run} was not started.`)
}

/** It names the event before it. */
function checkCheckpoint(rows: Rows, { data: { upto, hash } }: Of<'checkpoint_taken'>): Refusal | undefined {
  const head = rows.head()
  if (head?.seq === upto && head.hash === hash) return undefined
  return impossible(`The checkpoint is of event ${upto}, which is not the one before it.`)
}
