import { describe, expect, it } from 'vitest'
import { projects } from '../../src/domain/access/tables.ts'
import { text } from '../../src/domain/log/input-schema.ts'
import { refuse } from '../../src/domain/log/refusal.ts'
import { rowOf } from '../../src/domain/log/rows.ts'
import { streams } from '../../src/domain/log/tables.ts'
import { stateStream } from '../../src/domain/state/facts.ts'
import { stateKeys } from '../../src/domain/state/tables.ts'
import { operations } from '../../src/operations/index.ts'
import { type AnyAnswered, change } from '../../src/operations/operation.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'

const callers = 64

/** Does what one line says, on a root that has counted to some number. */
const misbehaving = change({
  name: 'test.misbehave',
  summary: 'Fails in the way that is asked for.',
  command: { words: [] },
  input: { how: text('Which way.') },
  needs: (input) => {
    if (input.how === 'needs throw') throw new Error('planted in needs')
    return [rowOf(streams, stateStream), rowOf(stateKeys, 'n'), rowOf(stateKeys, 'other')]
  },
  decide(input, on) {
    if (input.how === 'throw') throw new Error('planted')
    on.record({ type: 'increment', stream: stateStream, key: 'n', data: { delta: 1000 } })
    on.record({ type: 'set', stream: stateStream, key: 'other', data: { value: 'left behind' } })
    on.keep(projects, { dir: '/left behind', session: null, updated_at: 0 })
    if (input.how === 'record, then throw') throw new Error('planted')
    if (input.how === 'record, then overflow') return recurse(0)
    return refuse('busy', 'It was asked to refuse.', 'Ask for something else.')
  },
})

function recurse(depth: number): { depth: number } {
  return { depth: recurse(depth + 1).depth + 1 }
}

const WAYS = ['throw', 'record, then throw', 'record, then overflow', 'record, then refuse'] as const

for (const kind of STORES) {
  describe(`a group on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** As many callers in one turn of the event loop; those at `failing` ask for what fails. */
    async function together(into: TestStore, how: string, failing: readonly number[]) {
      const { cairn, session } = await newRoot(into)
      const { log, caller } = await into.openLog({ session })
      // The session is known from here on, so that all calls go into one group.
      await log.execute(operations.state.set, { key: 'n', value: 0 }, caller)
      const calls = Array.from({ length: callers }, (_, at) => {
        const operation: AnyAnswered = failing.includes(at) ? misbehaving : operations.state.increment
        const input = failing.includes(at) ? { how, request_id: `${session} ${at}` } : { key: 'n' }
        return log.execute(operation, input, caller)
      })
      const outcomes = await Promise.allSettled(calls)
      return { cairn, session, log, caller, outcomes }
    }

    it.each(WAYS)('where one caller would %s: it fails alone, and its record is taken back', async (how) => {
      const { cairn, log, caller, outcomes } = await together(store(), how, [31])
      const [failed] = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
      expect(outcomes[31]).toBe(failed)
      expect(String(failed?.reason)).toMatch(/planted|Maximum call stack|asked to refuse/)
      const values = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.value] : []))
      expect(values).toEqual(Array.from({ length: 63 }, (_, at) => at + 1))
      expect((await cairn.state.all({})).state).toEqual({ n: 63 })
      expect((await cairn.log.list({})).last_seq).toBe(2 + 63)
      expect(await store().sql(`SELECT dir FROM projects WHERE dir = '/left behind'`)).toEqual([])
      // What is remembered between groups is right too: the next one goes on from there.
      expect(await log.execute(operations.state.increment, { key: 'n' }, caller)).toMatchObject({
        value: 64,
        version: 65,
      })
    })

    it('does not remember the request of a caller that failed', async () => {
      const { session } = await together(store(), 'record, then throw', [0, 63])
      expect(await store().sql('SELECT id FROM requests WHERE id LIKE $1', `${session}%`)).toEqual([])
    })

    it('takes all failures of a group that only fails', async () => {
      const failing = Array.from({ length: callers }, (_, at) => at)
      const { cairn, outcomes } = await together(store(), 'record, then throw', failing)
      expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
      expect(await cairn.state.all({})).toMatchObject({ state: { n: 0 }, seq: 2 })
    })

    it('where one caller cannot even say what it needs: it fails alone', async () => {
      const { cairn, outcomes } = await together(store(), 'needs throw', [31])
      expect(outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : []))).toEqual([31])
      expect((await cairn.state.all({})).state).toEqual({ n: 63 })
    })

    it('is finished before the store is closed, also of those who still wait for the number of a new root', async () => {
      const { cairn } = await newRoot(store())
      const other = await store().open()
      const asked = Array.from({ length: 40 }, () => other.session.create({ topic: 'at the end' }))
      await other.close()
      const made = await Promise.all(asked)
      expect(new Set(made.map(({ session_id }) => session_id)).size).toBe(40)
      for (const { session_id: session } of made) {
        expect(await cairn.session.show({ session })).toMatchObject({ status: 'running' })
      }
    })

    it('decides hundreds of concurrent calls in the order in which they came, refusals among them', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: -1 })
      // Every third names the version that those before it have made; the others name one that is long gone.
      const version = (at: number) => (at % 3 === 1 ? (at - 1) / 3 + 1 : 0)
      const sets = Array.from({ length: 600 }, (_, at) =>
        cairn.state.set({ key: 'k', value: at, version: version(at) }),
      )
      const outcomes = await Promise.allSettled(sets)
      const done = outcomes.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []))
      expect(done).toEqual(Array.from({ length: 200 }, (_, at) => 3 * at + 1))
      expect(await cairn.state.get({ key: 'k' })).toMatchObject({ value: 598, version: 201 })
    })
  })
}
