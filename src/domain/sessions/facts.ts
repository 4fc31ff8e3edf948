import type { JsonObject } from '../../json/value.ts'
import type { Status } from './lifecycle.ts'

export function sessionStream(no: number): string {
  return `session/${no}`
}

/** The number of the session that a stream is about. */
export function sessionOf(stream: string): number {
  const no = Number(stream.slice(sessionStream(0).length - 1))
  if (!Number.isInteger(no)) throw new Error(`${stream} is no stream of a session`)
  return no
}

export type SessionFact =
  | { type: 'session_created'; data: SessionCreated }
  | { type: 'status_changed'; data: { from: Status; to: Status; reason?: string } }

/** Never holds a session's global id, nor a path of one machine: a fork or a clone has the same events and others of those. */
export interface SessionCreated {
  no: number
  parent: number | null
  status: Status
  topic: string
  type: string
  name?: string
  objective?: string
  description?: string
  strategy?: string
  metadata?: JsonObject
}

declare module '../log/event.ts' {
  interface FactsOfParts {
    sessions: SessionFact
  }
}
