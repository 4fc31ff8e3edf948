// Whatever is asked of a workflow in whatever order: views are what a replay gives, other stores take the log in, and nothing is impossible.
import { describe, expect, it } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { checkTransition, hasEnded, type Status } from '../../src/domain/sessions/lifecycle.ts'
import type { Move } from '../../src/domain/workflow/moves.ts'
import type { Cairn } from '../../src/open.ts'
import { type Draw, drawing } from '../setup/random-steps.ts'
import { seedOf } from '../setup/seed.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { type Supervised, supervise } from './supervised.ts'

const workflow = {
  profiles: { helper: { adapter: 'claude' } },
  phases: [
    {
      name: 'First',
      agents: [
        { id: 'a', run: ['true'] },
        { id: 'b', run: ['true'], depends_on: ['a'] },
      ],
    },
    { name: 'Second', agents: [{ id: 'c', run: ['true'], depends_on: ['a'] }] },
  ],
}

const parkings = ['approval', 'question', 'blocker', 'rate_limit', 'children', 'backoff', 'pause', 'consent'] as const
const pick = <T>(draw: Draw, all: readonly T[]): T => all[draw(all.length)] as T

/** Runs: how many were begun, and the one of each agent that is open. */
class Runs {
  begun = 0
  readonly attempts = new Map<number, number>()
  readonly open = new Map<number, string | null>()
}

function randomMove(draw: Draw, runs: Runs, agent: number): Move {
  const reason = 'by chance'
  // Agents mostly begin and end their runs.
  switch (pick(draw, [0, 0, 0, 0, 0, 3, 3, 3, 3, 5, 5, 6, 7, 8, 8, 9, 9, 10, 11, 12])) {
    case 0: {
      const run = `run_${runs.begun}`
      runs.begun += 1
      const attempt = draw(5) === 0 ? 1 : (runs.attempts.get(agent) ?? 0) + 1
      return { move: 'start', agent, run, rung: pick(draw, ['fresh', 'replay']), attempt, adapter: 'command' }
    }
    case 3: {
      const run = runs.open.get(agent) ?? `run_${runs.begun - 1}`
      const result = { text: 'left', bytes: 4, digest: 'c'.repeat(64) }
      const left = draw(2) === 0 ? {} : { result }
      return {
        move: 'exit',
        agent,
        run,
        how: 'completed',
        cause: pick(draw, ['exit', 'crash', 'idle']),
        exit_code: draw(2),
        ...left,
      }
    }
    case 5:
      return { move: pick(draw, ['paused', 'thawed']), agent }
    case 6:
      return { move: 'complete', agent }
    case 7:
      return { move: pick(draw, ['fail', 'skip', 'cancel']), agent, reason }
    case 8: {
      const why = pick(draw, parkings)
      const raises = why === 'approval' ? { raises: { kind: 'approval', text: 'May it?' } as const } : {}
      return { move: 'park', agent, why, ...(draw(2) === 0 ? { wake_at: 9 } : {}), failures: draw(3), ...raises }
    }
    case 9:
      return { move: 'wake', agent, by: pick(draw, parkings) }
    case 10:
      return { move: 'need', agent, raises: { kind: 'failed', text: 'It failed.' } }
    case 11:
      return draw(4) > 0
        ? { move: 'phase', phase: 1 + draw(2), to: pick(draw, ['running', 'completed', 'failed', 'skipped']) }
        : { move: 'root', to: pick(draw, ['completed', 'failed']) }
    default:
      return { move: 'checkpoint', why: pick(draw, ['agent', 'phase', 'recovery']), agent }
  }
}

async function randomAsk(cairn: Cairn, draw: Draw, session: string): Promise<unknown> {
  const target = pick(draw, [{}, { agent: 'a' }, { agent: 'b' }, { agent: 'c' }, { phase: 'First' }, { phase: '2' }])
  const meant = { session, ...target }
  switch (draw(11)) {
    case 0:
      return cairn.session.start(meant)
    case 1:
      return cairn.session.pause(meant)
    case 2:
    case 3:
      return cairn.session.resume(meant)
    case 4:
      return draw(3) === 0 ? cairn.session.cancel(meant) : undefined
    case 5:
    case 6:
      return cairn.session.retry(meant)
    case 7:
      return cairn.session.approve(meant)
    case 8:
      return cairn.session.answer({ ...meant, text: 'Do so.' })
    case 9: {
      const all = (await cairn.session.status({ session })).agents
      const one = pick(draw, all)?.session_id as string
      return draw(2) === 0
        ? cairn.session.ask({ session: one, text: 'Which?' })
        : cairn.session.spawn({
            session: one,
            use: 'helper',
            task: 'Help.',
            ...(draw(2) === 0 ? { phase: 'First' } : { phase: 'Second' }),
          })
    }
    default:
      return cairn.workflow.extend({
        session,
        agents: [{ id: `x${draw(4)}`, use: 'helper', task: 'More.', phase: 'Second' }],
      })
  }
}

/** Refusals are answers; anything else that is thrown is a bug. */
async function unlessRefused(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof CairnRefusal) || error.code === 'internal') throw error
  })
}

async function play(cairn: Cairn, { root, step }: Supervised, draw: Draw, rounds: number): Promise<void> {
  const runs = new Runs()
  await cairn.session.start({ session: root })
  for (let round = 0; round < rounds; round++) {
    const { session, agents } = await cairn.session.status({ session: root })
    const meant = { session: root }
    if (session.status === 'paused') await unlessRefused(cairn.session.resume(meant))
    if (hasEnded(session.status)) {
      const again = pick(draw, [{}, { phase: 'First' }, { phase: 'Second' }, { agent: pick(draw, ['a', 'b', 'c']) }])
      await unlessRefused(
        draw(3) === 0 ? cairn.session.resume({ ...meant, ...again }) : cairn.session.retry({ ...meant, ...again }),
      )
    }
    if (draw(4) === 0) {
      await unlessRefused(randomAsk(cairn, draw, root))
      continue
    }
    const { tables } = await cairn.log.rows({ session: root, part: 'workflow', table: 'agent_progress' })
    const rows = tables as { agent_progress: { no: number; attempts: number; run: string | null }[] }
    for (const { no, attempts, run } of rows.agent_progress) {
      runs.attempts.set(no, attempts)
      runs.open.set(no, run)
    }
    const moves = Array.from({ length: 1 + draw(4) }, () => randomMove(draw, runs, 1 + draw(agents.length)))
    await unlessRefused(step(...moves))
  }
}

type Rows = Record<string, Record<string, string | number | null>[]>

async function rowsOf(cairn: Cairn, session: string, part: string, at?: number): Promise<Rows> {
  return (await cairn.log.rows({ session, part, ...(at !== undefined && { at }) })).tables as Rows
}

async function eventsOf(cairn: Cairn, session: string) {
  return (await cairn.log.list({ session, since: 0, limit: 1000 })).events
}

/** What can be so at no time. */
async function checkPossible(cairn: Cairn, root: string): Promise<void> {
  const { agent_progress: progress = [], agents = [] } = await rowsOf(cairn, root, 'workflow')
  const sessions = (await rowsOf(cairn, root, 'sessions')).sessions ?? []
  const statusOf = new Map(sessions.map(({ no, status }) => [no, status as Status]))
  for (const row of progress) {
    const status = statusOf.get(row.no as number) as Status
    const waits = status === 'created' || status === 'resumable'
    expect([row.no, status, row.run !== null && waits]).toEqual([row.no, status, false])
    if (row.parked !== null && !hasEnded(status)) expect([row.no, status]).toEqual([row.no, 'resumable'])
  }
  if (hasEnded(statusOf.get(0) as Status)) {
    const open = agents.filter(({ no }) => !hasEnded(statusOf.get(no as number) as Status))
    expect(open).toEqual([])
  }
  for (const { type, data } of await eventsOf(cairn, root)) {
    const { from, to } = (data ?? {}) as { from: Status; to: Status }
    if (type === 'status_changed') expect(checkTransition(from, to)).toBeUndefined()
  }
}

for (const kind of STORES) {
  describe(`a workflow that is pushed about on ${kind.name}`, () => {
    const store = freshStore(kind)
    const other = freshStore(kind)

    it.each([1, 2, 3])('S1-10 S1-13 is what its log says, here, in a fork and elsewhere (%i)', async (run) => {
      const draw = drawing(seedOf(1000 + run))
      const cairn = await store().open()
      const supervised = await supervise(cairn, workflow)
      const { root } = supervised
      await play(cairn, supervised, draw, process.env.CAIRN_LONG === undefined ? 120 : 600)
      await checkPossible(cairn, root)
      await store().verify()
      const events = await eventsOf(cairn, root)
      const there = await other().open()
      await there.log.adopt({ root, events })
      for (const part of ['workflow', 'sessions', 'plan', 'journal'])
        expect(await rowsOf(there, root, part)).toEqual(await rowsOf(cairn, root, part))
      const at = 1 + draw(events.length)
      const fork = await cairn.session.fork({ session: root, at })
      expect(await rowsOf(cairn, fork.session_id, 'workflow')).toEqual(await rowsOf(cairn, root, 'workflow', at))
      await supervise(cairn, workflow).then((next) => play(cairn, next, draw, 5))
    })
  })
}
