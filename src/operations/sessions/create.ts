import { rootProjects } from '../../domain/access/tables.ts'
import { folderProjects } from '../../domain/folders/tables.ts'
import type { Deciding } from '../../domain/log/deciding.ts'
import { foldName } from '../../domain/log/identity.ts'
import { alsoCalled, jsonObject, optional, text } from '../../domain/log/input-schema.ts'
import { Refusal, refuse } from '../../domain/log/refusal.ts'
import { type Ref, rowOf } from '../../domain/log/rows.ts'
import { streams } from '../../domain/log/tables.ts'
import { type SessionCreated, sessionStream } from '../../domain/sessions/facts.ts'
import { sessionMembers } from '../../domain/sessions/members.ts'
import { sessionsOf } from '../../domain/sessions/session.ts'
import { type SessionRow, sessionNames, sessions } from '../../domain/sessions/tables.ts'
import { checkDocument } from '../../domain/state/document/document.ts'
import { stateStream } from '../../domain/state/facts.ts'
import { asksForTrees } from '../../domain/workflow/file/own-tree.ts'
import { readWorkflow, type WorkflowRead } from '../../domain/workflow/file/read.ts'
import type { JsonObject } from '../../json/value.ts'
import { parent } from '../inputs.ts'
import { mayWrite } from '../may-write.ts'
import { change } from '../operation.ts'
import { addingRefs, checkAdding, recordWorkflow } from '../workflow/recording.ts'

const { topic, name, type, objective, description, strategy, metadata } = sessionMembers

const input = {
  topic,
  parent,
  name: alsoCalled('session_name', name),
  type: alsoCalled('session_type', optional(type)),
  objective,
  description,
  strategy,
  metadata,
  initial_state: optional(jsonObject('The first state of a new root.')),
  workflow: optional(jsonObject('What is to be run below a new root, as in a workflow file; nothing is started yet.')),
  project: optional(text('The working directory this belongs to.', { max: 4096 })),
  project_dir: optional(text('The same; sessions get a folder there from now on.', { max: 4096 })),
}

function checkName(on: Deciding, wanted: string | undefined): Refusal | undefined {
  if (wanted === undefined || on.rows.get(sessionNames, foldName(wanted)) === undefined) return undefined
  const message = `This root already has a session named ${JSON.stringify(wanted)}.`
  return refuse('already_exists', message, 'Names are not case-sensitive; choose another.', { session_name: wanted })
}

/** Whether there may be another session below the one that acts. */
export function checkRoom(on: Deciding): Refusal | undefined {
  return mayWrite(on) ?? checkDepth(on) ?? checkSessions(on)
}

/** The session that acts is the parent: it is named by another member here. */
function checkParent(on: Deciding): Refusal | undefined {
  const refusal = checkRoom(on)
  if (refusal?.code !== 'session_ended') return refusal
  const hint = 'Name an open session as `parent`, or leave it out to create a root.'
  return refuse(refusal.code, refusal.message, hint, refusal.details)
}

/** What must be known to create a session, besides its name. */
export const creatingRefs: readonly Ref[] = [rowOf(streams, sessionStream(0))]

type Described = Pick<SessionCreated, 'topic'> & Partial<SessionCreated>

/** Creates a session below the one that acts; gives its row. */
export function recordCreated(on: Deciding, described: Described): SessionRow {
  const no = sessionsOf(on.rows)
  const made: SessionCreated = { no, parent: on.session?.no ?? null, status: 'running', type: 'full', ...described }
  on.record({ type: 'session_created', stream: sessionStream(no), data: made })
  const row = on.rows.get(sessions, no)
  if (row === undefined) throw new Error(`session ${no} has no row after it was created`)
  return row
}

function checkDepth(on: Deciding): Refusal | undefined {
  const limit = on.limits.treeDepth
  if ((on.session?.depth ?? -1) + 1 < limit) return undefined
  const message = `The tree of sessions would be deeper than the limit treeDepth of ${limit}.`
  const hint = 'Create the session below one nearer to the root.'
  return refuse('invalid_input', message, hint, { limit: 'treeDepth', limit_value: limit })
}

function checkSessions(on: Deciding): Refusal | undefined {
  const limit = on.limits.sessions
  if (sessionsOf(on.rows) < limit) return undefined
  const message = `This root has as many sessions as the limit sessions of ${limit} allows.`
  return refuse('invalid_input', message, 'Start a new root.', { limit: 'sessions', limit_value: limit })
}

function checkInitialState(on: Deciding, state: JsonObject | undefined): Refusal | undefined {
  if (state === undefined) return undefined
  if (on.session === undefined) return checkDocument(state, on)
  const message = 'Only a root can have an initial state; a child shares the state of its root.'
  return refuse('invalid_input', message, 'Leave out `initial_state`, or leave out `parent`.', {
    path: 'initial_state',
  })
}

/** Only a root has a workflow; `undefined` where none was given. */
function workflowGiven(on: Deciding, given: JsonObject | undefined): WorkflowRead | Refusal | undefined {
  if (given === undefined) return undefined
  if (on.session !== undefined) {
    const hint = 'Leave out `parent`, or add agents with `workflow.extend`.'
    return refuse('invalid_input', 'Only a root can have a workflow.', hint, { path: 'workflow' })
  }
  const read = readWorkflow(given, on.limits)
  if (read instanceof Refusal) return withinWorkflow(read)
  return checkAdding(on, read.agents) ?? read
}

function withinWorkflow({ code, message, hint, details }: Refusal): Refusal {
  return refuse(code, message, hint, { ...details, in: 'workflow' })
}

/** It is there, and begins when it is started; what its workflow says of it stands where nothing else was said. */
function asDescribed(described: Described, read: WorkflowRead | undefined): Described {
  if (read === undefined) return described
  const { objective, workflow } = read
  return { ...(objective && { objective }), strategy: workflow.strategy, ...described, status: 'created' }
}

/** The parent is recorded as its number, state and workflow as events of their own, and a path of this machine not at all. */
const notRecorded: ReadonlySet<string> = new Set(['parent', 'initial_state', 'workflow', 'project', 'project_dir'])

/** What is kept of what was asked: not what every change has. */
function ownMembers(asked: object): Described {
  // The checked input has the topic, and its other members are those of the fact.
  return Object.fromEntries(
    Object.entries(asked).filter(([member]) => member in input && !notRecorded.has(member)),
  ) as Described
}

/** What was named is a place for folders; where one merely happens to be is so only if that was said before. */
function keepProject(on: Deciding, asked: { project?: string; project_dir?: string }): void {
  const dir = asked.project_dir ?? asked.project
  if (dir !== undefined) on.keep(rootProjects, { root: on.rows.root, dir })
  if (asked.project_dir !== undefined) on.keep(folderProjects, { dir: asked.project_dir, at: on.at })
}

/** `dir` is the folder that it has or will have on the host that answers. */
type Created = {
  session_id: string
  root_session_id: string
  session_name: string
  slug: string
  status: string
  dir?: string
}

const create = change({
  name: 'session.create',
  summary: 'Create a session: a root for a new piece of work, or a child of another session.',
  command: {
    words: ['session create'],
    positional: ['topic'],
    topic: 'Start',
    examples: [
      'cairn session create "Faster parser"',
      'cairn session create "Profile it" --name profile --parent 3f9a1c0b',
    ],
  },
  reach: 'subtree',
  input,
  treesOf: ({ workflow, project_dir, project }) =>
    asksForTrees(workflow) ? { project: project_dir ?? project } : undefined,
  needs: (asked, rows) => [
    ...creatingRefs,
    ...(asked.name === undefined ? [] : [rowOf(sessionNames, foldName(asked.name))]),
    ...(asked.workflow === undefined ? [] : addingRefs(rows, [])),
  ],
  decide(asked, on) {
    const refusal = checkParent(on) ?? checkName(on, asked.name) ?? checkInitialState(on, asked.initial_state)
    if (refusal) return refusal
    const read = workflowGiven(on, asked.workflow)
    if (read instanceof Refusal) return read
    const row = recordCreated(on, asDescribed(ownMembers(asked), read))
    if (row.no === 0) keepProject(on, asked)
    if (asked.initial_state) on.record({ type: 'init', stream: stateStream, data: { payload: asked.initial_state } })
    const refused = read && recordWorkflow(on, read)
    if (refused) return refused
    const { id, slug, status } = row
    const answer: Created = { session_id: id, root_session_id: on.rows.id, session_name: row.name, slug, status }
    return answer
  },
})

/** Acts as the parent; without one it makes a root of its own. */
export const sessionCreate: typeof create = {
  ...create,
  acting: ({ parent, session }) => {
    const above = parent ?? session
    return above === undefined ? 'new root' : { session: above }
  },
}
