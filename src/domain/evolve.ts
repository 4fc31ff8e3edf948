import { type Event, firstHash, sessionStream, stateStream } from './event.ts'
import type { Rows } from './rows.ts'
import { changeStatus, createSession } from './session.ts'
import { appendKey, deleteKey, incrementKey, mergeKey, replaceState, setKey } from './state/evolve.ts'
import { type RootRow, streams } from './tables.ts'

/**
 * Brings the views up to date with one event. It is the only way a view changes: while an event is recorded and when a
 * root is rebuilt from its log.
 */
export function evolve(rows: Rows, event: Event): void {
  rows.setHead({ ...(rows.head() ?? newHead(rows.root)), seq: event.seq, hash: event.hash })
  const stream = rows.get(streams, event.stream)
  rows.put(streams, {
    root: event.root,
    stream: event.stream,
    version: event.version,
    created_at: stream?.created_at ?? event.at,
    updated_at: event.at,
  })
  apply(rows, event)
}

/** The head of a log in which nothing has happened yet. */
export function newHead(root: string): RootRow {
  return {
    root,
    seq: 0,
    hash: firstHash,
    sessions: 0,
    keys: 0,
    bytes: 0,
    generation: 0,
    origin: null,
    origin_seq: null,
  }
}

function apply(rows: Rows, event: Event): void {
  switch (event.type) {
    case 'session_created':
      createSession(rows, event, event.data)
      if (event.data.initial_state) startState(rows, event, event.data.initial_state)
      return
    case 'status_changed':
      return changeStatus(rows, event, noOf(event.stream), event.data)
    case 'init':
      for (const [key, value] of Object.entries(event.data.payload)) setKey(rows, event, key, value)
      return
    case 'full_replace':
      return replaceState(rows, event, event.data.payload)
    case 'set':
      return setKey(rows, event, event.key, event.data.value)
    case 'delete':
      return deleteKey(rows, event, event.key)
    case 'increment':
      return incrementKey(rows, event, event.key, event.data.delta)
    case 'append':
      return appendKey(rows, event, event.key, event.data.items)
    case 'patch':
      return mergeKey(rows, event, event.key, event.data.patch)
  }
}

/** Values given at creation belong to event 1: the state is there from the start, at version 0 of its stream. */
function startState(rows: Rows, event: Event, payload: Record<string, never> | object): void {
  rows.put(streams, {
    root: event.root,
    stream: stateStream,
    version: 0,
    created_at: event.at,
    updated_at: event.at,
  })
  for (const [key, value] of Object.entries(payload)) setKey(rows, event, key, value)
}

function noOf(stream: string): number {
  const no = Number(stream.slice(sessionStream(0).length - 1))
  if (!Number.isInteger(no)) throw new Error(`${stream} is no stream of a session`)
  return no
}
