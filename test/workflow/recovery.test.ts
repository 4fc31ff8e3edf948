import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { AgentExited } from '../../src/domain/workflow/facts.ts'
import { type Interrupted, recoverySteps } from '../../src/domain/workflow/recovery.ts'
import { settledAgent } from '../../src/domain/workflow/settled.ts'
import type { AgentSpec } from '../../src/domain/workflow/spec.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { supervise } from './supervised.ts'

function agent(more: Partial<Interrupted> = {}, spec: Partial<AgentSpec> = {}): Interrupted {
  const described = { id: 'one', role: 'worker', task: 'work', ...spec }
  return {
    no: 1,
    status: 'running',
    spec: settledAgent(described, { strategy: 'adaptive' }),
    attempts: 1,
    failures: 0,
    rung: 'fresh',
    exited: undefined,
    canResume: false,
    canReplay: false,
    held: false,
    isShared: false,
    found: 'lost',
    ...more,
  }
}

const claude = { use: 'claude', auto_resume: 'always' } as const
const failed: AgentExited = { agent: 1, run: 'run_a', cause: 'exit', exit_code: 1 }

/** What is found, and the rung: the table of docs/guides/recovery.md, row by row. */
const table: readonly (readonly [what: string, found: Interrupted, rung: string | undefined])[] = [
  ['its process lives', agent({ found: 'alive' }), 'adopt'],
  ['it ended well', agent({ found: 'exit', exitCode: 0 }), undefined],
  ['it crashed, and costs nothing', agent({ found: 'crash' }), 'fresh'],
  ['it is lost, and its provider knows it', agent({ canResume: true, canReplay: true }, claude), 'resume'],
  ['it is lost, and there is its conversation', agent({ canReplay: true }, claude), 'replay'],
  ['it is lost, and there is nothing', agent({}, claude), 'fresh'],
  ['it is lost, and costs money', agent({ canResume: true }, { use: 'claude' }), 'wait'],
  ['it is lost, and is never to go on by itself', agent({}, { auto_resume: 'never' }), 'wait'],
  ['its time was up', agent({ found: 'timeout', canResume: true }, { use: 'claude' }), 'resume'],
  ['the network was gone', agent({ found: 'network', canReplay: true }, claude), 'replay'],
  [
    'resuming it failed',
    agent({ found: 'exit', exitCode: 1, exited: failed, rung: 'resume', canResume: true, canReplay: true }, claude),
    'replay',
  ],
  ['its provider takes no requests', agent({ found: 'rate_limit' }), 'wait'],
  ['a person interrupted it', agent({ found: 'person' }), 'wait'],
  ['it was paused', agent({ status: 'paused' }), 'wait'],
  ['a person holds it', agent({ held: true }), 'wait'],
  ['it was the last attempt', agent({ failures: 2 }), 'fail'],
  ['its budget is used up', agent({ found: 'budget' }), 'fail'],
  ['its run is that of the origin of a fork', agent({ isShared: true, found: 'lost' }), 'wait'],
]

describe('recovery', () => {
  it.each(table)('S1-15 S1-74 S1-78 C22 %s', (what, found, rung) => {
    expect(recoverySteps([found])[0]?.rung).toBe(rung)
    expect(readFileSync('docs/guides/recovery.md', 'utf8')).toContain(`| ${what} |`)
  })
})

for (const kind of STORES) {
  describe(`recovery on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S1-87 U28 shows what it would do, and leaves the runs of its origin alone in a fork', async () => {
      const cairn = await store().open()
      const { root, step, starting } = await supervise(cairn)
      await cairn.session.start({ session: root })
      await step(starting(1), starting(2), { move: 'paused', agent: 2 })
      const shown = await cairn.workflow.recovery({ session: root })
      expect(shown).toMatchObject({ supervised: true })
      expect(shown.steps.map(({ id, was, rung }) => [id, was, rung])).toEqual([
        ['one', 'running', 'fresh'],
        ['two', 'paused', 'wait'],
      ])
      const fork = await cairn.session.fork({ session: root })
      const { supervised, steps } = await cairn.workflow.recovery({ session: fork.session_id })
      expect([supervised, steps.map(({ rung }) => rung)]).toEqual([false, ['wait', 'wait']])
    })
  })
}
