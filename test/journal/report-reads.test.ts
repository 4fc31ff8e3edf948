// A report costs the same whatever there is: the rows that it reads are counted, of a small night and of a large one.
import { beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import type { Asking } from '../../src/domain/log/questions.ts'
import { CairnRefusal, Refusal } from '../../src/domain/log/refusal.ts'
import { parts } from '../../src/domain/parts.ts'
import type { Cairn } from '../../src/open.ts'
import { journalBrief } from '../../src/operations/brief/brief.ts'
import { loadTokens } from '../../src/operations/brief/tokens.ts'
import { rootNumber } from '../setup/roots.ts'
import { engineOf } from '../setup/store-engine.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { supervise } from '../workflow/supervised.ts'

beforeAll(loadTokens)

/** Some work whose first agents run, the second died, and the third wait, with a log that is as long as was asked for. */
async function night(cairn: Cairn, many: number): Promise<string> {
  const agents = Array.from({ length: 3 * many }, (_, at) => ({ id: `w-${at}`, run: ['true'] }))
  const { root, step, starting, exiting } = await supervise(cairn, { agents, defaults: { retries: 2 } })
  await cairn.session.start({ session: root })
  for (let agent = 1; agent <= many; agent++) {
    await step(starting(agent), starting(many + agent), starting(2 * many + agent))
    await step(
      exiting(many + agent, { how: 'crashed', cause: 'crash', exit_code: 137, signal: 'SIGKILL' }),
      exiting(2 * many + agent),
      { move: 'park', agent: 2 * many + agent, why: 'approval', raises: { kind: 'approval', text: 'Go on?' } },
    )
    await cairn.state.batch({
      session: root,
      operations: Array.from({ length: 20 }, () => ({ op: 'increment', key: 'n' })) as never,
    })
  }
  return root
}

/** How many rows a report read, and what it says. */
async function readRows(store: TestStore, cairn: Cairn, root: string) {
  const engine = await engineOf(store)
  try {
    const { last_seq } = await cairn.log.list({ session: root, limit: 1 })
    const place = { root: await rootNumber(store, root), rootId: root, no: 0 }
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const counted = { rows: 0 }
    const asking = journalBrief.read({ since }, place, Date.now(), parts, undefined, defaultLimits)
    const answer = await engine.read(counting(asking, counted), true)
    if (answer instanceof Refusal) throw new CairnRefusal(answer)
    return { rows: counted.rows, report: answer.report, last: last_seq }
  } finally {
    await engine.close()
  }
}

function* counting<Out>(asking: Asking<Out>, counted: { rows: number }): Asking<Out> {
  let step = asking.next([])
  while (step.done !== true) {
    const rows: readonly object[] = yield step.value
    counted.rows += rows.length
    step = asking.next(rows)
  }
  return step.value
}

for (const kind of STORES) {
  describe(`what a report reads on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('is bounded by what it lists, and the rest is counted', async () => {
      const cairn = await store().open()
      const [small, large] = [await night(cairn, 25), await night(cairn, 100)]
      const [few, many] = [await readRows(store(), cairn, small), await readRows(store(), cairn, large)]
      expect(many.last).toBeGreaterThan(3 * few.last)
      expect(many.report?.left_out).toEqual({ running: 80, parked: 80, died: 80, needs: 80, runs: 0 })
      expect(many.report?.done.agents).toEqual({ done: 0, total: 300 })
      // Of runs, whose use is added up, as many are read as there are up to a number.
      const runs = 3 * (100 - 25)
      expect(many.rows - few.rows).toBeLessThanOrEqual(runs + 75)
    })
  })
}
