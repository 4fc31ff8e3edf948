import type { EvolvingOf } from '../log/evolve.ts'
import type { Part } from '../log/part.ts'
import { type SessionFact, sessionOf, sessionStream } from './facts.ts'
import { foreignSessions } from './foreign.ts'
import { forkSessions } from './fork.ts'
import { changeStatus, createSession } from './session.ts'
import { sessionNames, sessionProcesses, sessions } from './tables.ts'

const evolve: EvolvingOf<SessionFact> = {
  session_created: (rows, event) => createSession(rows, event, event.data),
  status_changed: (rows, event) => changeStatus(rows, event, sessionOf(event.stream), event.data),
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
