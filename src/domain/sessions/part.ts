import type { EvolvingOf } from '../log/evolve.ts'
import { foldName } from '../log/identity.ts'
import type { Part } from '../log/part.ts'
import type { WorkflowFact } from '../workflow/facts.ts'
import { type SessionFact, sessionOf, sessionStream } from './facts.ts'
import { foreignSessions } from './foreign.ts'
import { forkSessions } from './fork.ts'
import { changeStatus, createSession } from './session.ts'
import { sessionNames, sessionProcesses, sessions } from './tables.ts'

/** An agent is also called what its workflow calls it. */
type SecondName = Extract<WorkflowFact, { type: 'agent_added' }>

const evolve: EvolvingOf<SessionFact | SecondName> = {
  session_created: (rows, event) => createSession(rows, event, event.data),
  status_changed: (rows, event) => changeStatus(rows, event, sessionOf(event.stream), event.data),
  agent_added: (rows, { root, data }) => rows.put(sessionNames, { root, folded: foldName(data.id), no: data.agent }),
}

const prefix = sessionStream(0).slice(0, -1)

/** The tree of sessions below a root, and what has become of each. */
export const sessionsPart: Part = {
  name: 'sessions',
  owns: (stream) => stream.startsWith(prefix),
  tables: [sessions, sessionNames, sessionProcesses],
  evolve,
  bodies: 'kept',
  secrets: 'refuse',
  fork: forkSessions,
  foreign: foreignSessions,
}
