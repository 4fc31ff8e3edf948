// What may become of an agent, by every move, from every status: the one table of statuses decides.
import { expect, it } from 'vitest'
import { checkTransition, type Status, statuses } from '../../src/domain/sessions/lifecycle.ts'
import type { Move } from '../../src/domain/workflow/moves.ts'
import { makeMoves } from '../../src/operations/workflow/moves/index.ts'
import { type Decided, deciding } from '../setup/memory-rows.ts'

const agent = 1

/** An agent that is `status`, with or without an open run. */
function inStatus(status: Status, runs: boolean): Decided {
  const made = { no: agent, parent: 0, status: 'created', topic: 'an agent', type: 'full', name: 'agent' } as const
  const ways: { readonly [S in Status]?: readonly Status[] } = {
    completed: ['running', 'completed'],
    failed: ['running', 'failed'],
    cancelled: ['running', 'cancelled'],
    paused: ['running', 'paused'],
    created: [],
  }
  const changes = ways[status] ?? [status]
  return deciding([
    { type: 'workflow_set', stream: 'workflow', data: { strategy: 'adaptive' } },
    { type: 'session_created', stream: 'session/1', data: made },
    {
      type: 'agent_added',
      stream: 'workflow',
      data: { agent, id: 'one', role: 'worker', task: 'work', run: ['true'] },
    },
    ...changes.map((to, at) => ({
      type: 'status_changed' as const,
      stream: 'session/1',
      data: { from: changes[at - 1] ?? 'created', to },
    })),
    ...(runs
      ? ([
          { type: 'run_started', stream: 'run/1', data: { run: 'run_a', mode: 'cli' } },
          { type: 'agent_started', stream: 'workflow', data: { agent, run: 'run_a', rung: 'fresh', attempt: 1 } },
        ] as const)
      : []),
  ])
}

const start = { move: 'start', agent, run: 'run_b', rung: 'fresh', attempt: 1, adapter: 'command' } as const

/** What each move makes of an agent, and whether it may have an open run then. */
const table: readonly (readonly [move: Move, to: Status, runs: 'with' | 'without' | 'either'])[] = [
  [start, 'running', 'without'],
  [{ move: 'complete', agent }, 'completed', 'without'],
  [{ move: 'fail', agent, reason: 'why' }, 'failed', 'either'],
  [{ move: 'skip', agent, reason: 'why' }, 'skipped', 'without'],
  [{ move: 'cancel', agent, reason: 'why' }, 'cancelled', 'either'],
  [{ move: 'park', agent, why: 'pause' }, 'resumable', 'without'],
  [{ move: 'paused', agent }, 'paused', 'with'],
  [{ move: 'thawed', agent }, 'running', 'with'],
]

/** Moves that may keep the status, where the table has no way from one to itself. */
const stays: ReadonlySet<string> = new Set(['start running', 'park resumable'])
/** These begin or wait again only by a retry or a resume, which a person asks for. */
const ended: ReadonlySet<Status> = new Set<Status>(['completed', 'failed', 'cancelled', 'skipped'])

for (const [move, to, wanted] of table) {
  it(`U24 ${move.move} is taken where the table of statuses has a way to ${to}, and nowhere else`, () => {
    for (const status of statuses) {
      for (const runs of [true, false]) {
        const on = inStatus(status, runs)
        const [refusal] = makeMoves(on, [move]).values()
        const isLegal = checkTransition(status, to) === undefined || stays.has(`${move.move} ${status}`)
        const isBegun = (move.move === 'start' || move.move === 'park') && ended.has(status)
        const fits = isLegal && !isBegun && (wanted === 'either' || (wanted === 'with') === runs)
        expect([status, runs, refusal === undefined]).toEqual([status, runs, fits])
        // What does not fit leaves no trace.
        if (refusal !== undefined) expect(on.recorded).toEqual([])
      }
    }
  })
}
