// Processes that die while they fork, or while they remove or erase what is shared; and faults that are planted in what forks rest on.
import { describe, expect, it } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import type { Cairn } from '../../src/open.ts'
import { runChild } from '../faults/children.ts'
import { type Deaths, eachDeath } from '../faults/deaths.ts'
import { newChild, newRoot } from '../setup/roots.ts'
import { freshStore, STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { wholeLog } from '../upkeep/reading.ts'
import { removeRoot } from './pictures.ts'

/** A root with two forks, one of which is of the other. */
async function family(store: TestStore): Promise<{ cairn: Cairn; members: [string, string, string] }> {
  const { cairn, session } = await newRoot(store)
  await newChild(cairn, session)
  for (let at = 0; at < 3; at++) await cairn.state.append({ key: 'list', items: [at] })
  const { session_id: fork } = await cairn.session.fork({ at: 4 })
  for (let at = 0; at < 2; at++) await cairn.state.append({ session: fork, key: 'list', items: ['own'] })
  const { session_id: second } = await cairn.session.fork({ session: fork, at: 5 })
  return { cairn, members: [session, fork, second] }
}

/** The log of a root, and its state at each event. */
async function lookAt(cairn: Cairn, session: string): Promise<unknown> {
  const log = await wholeLog(cairn, session)
  const states = log.slice(2).map(({ seq }) => cairn.state.all({ session, at: seq }))
  return { log, states: await Promise.all(states), now: await cairn.state.all({ session }) }
}

interface Deed {
  readonly operation: string
  readonly deaths: Deaths
  input(cairn: Cairn, members: readonly string[]): Promise<object>
  /** Which of the family may be another afterwards. */
  readonly changes: number | undefined
}

const ofMiddle = async (cairn: Cairn, session = '') => ({
  session,
  confirm: (await cairn.session.show({ session })).slug,
})

const DEEDS: readonly Deed[] = [
  {
    operation: 'session.fork',
    deaths: { begin: [1], fork: [1], project: [2, 5], commit: [1], answer: [1], announce: [1] },
    input: async (_cairn, members) => ({ session: members[1], at: 3, request_id: `fork of ${members[1]}` }),
    changes: undefined,
  },
  {
    operation: 'store.remove',
    deaths: { begin: [1, 2], project: [1, 30], commit: [1] },
    input: async (cairn, members) => ({ ...(await ofMiddle(cairn, members[1])), force: true }),
    changes: 1,
  },
  {
    operation: 'store.erase',
    deaths: { begin: [2], append: [1], project: [1, 12], commit: [1] },
    input: async (cairn, members) => ({ ...(await ofMiddle(cairn, members[1])), key: 'list' }),
    changes: 1,
  },
]

for (const kind of STORES) {
  describe(`a process that dies among forks on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** Whether it died there; the family is whole in any case, and doing it again does it once. */
    async function dies(deed: Deed, point: string, hit: number): Promise<boolean> {
      const { cairn, members } = await family(store())
      const input = await deed.input(cairn, members)
      const others = members.filter((_, at) => at !== deed.changes)
      const before = await Promise.all(others.map((each) => lookAt(cairn, each)))
      const job = { ...store().options, do: 'call', operation: deed.operation, input } as const
      const { signal, refused, raw, errors } = await runChild(job, { env: { CAIRN_FAILPOINT: `${point}:kill@${hit}` } })
      expect([refused, raw, errors], `${point} ${hit}`).toEqual([[], [], ''])
      await store().verify()
      expect(await Promise.all(others.map((each) => lookAt(cairn, each)))).toEqual(before)
      const [noun, verb] = deed.operation.split('.') as ['store', 'gc']
      const isRefusal = (error: unknown) => expect(error).toBeInstanceOf(CairnRefusal)
      await cairn[noun][verb](input).catch(isRefusal)
      await store().verify()
      expect(await Promise.all(others.map((each) => lookAt(cairn, each)))).toEqual(before)
      const { forks = [] } = await cairn.session.tree({ session: members[0], forks: true })
      expect(forks[0]?.forks.map(({ at }) => at)).toEqual(deed.changes === undefined ? [3, 5] : [5])
      for (const { session_id: each } of (await cairn.session.list({ limit: 100 })).sessions)
        await removeRoot(cairn, each)
      await store().close()
      return signal === 'SIGKILL'
    }

    for (const deed of DEEDS) {
      it(`U37 leaves no fork or a whole one, and all others as they were, in ${deed.operation}`, async () => {
        await eachDeath(deed.deaths, (point, hit) => dies(deed, point, hit))
      }, 240_000)
    }
  })

  describe(`a fault that is planted in forks on ${kind.name}`, () => {
    const store = freshStore(kind, { damaged: true })

    /** What doctor says after a process has done this. */
    async function found(operation: string, members: object, fault?: string): Promise<string> {
      const { cairn, session } = await newRoot(store())
      await cairn.state.increment({ key: 'n' })
      const input = { ...members, [operation === 'session.create' ? 'parent' : 'session']: session }
      const job = { ...store().options, do: 'call', operation, input } as const
      const { raw, refused, errors } = await runChild(job, fault === undefined ? {} : { env: { CAIRN_FAULT: fault } })
      expect([raw, refused, errors]).toEqual([[], [], ''])
      const { ok, checks } = await cairn.store.doctor({})
      return ok ? '' : JSON.stringify(checks.filter((check) => !check.ok))
    }

    it('wrong-segment: doctor finds that an event of the fork is missing', async () => {
      expect(await found('session.fork', { at: 2 })).toBe('')
      expect(await found('session.fork', { at: 2 }, 'wrong-segment')).toMatch(/event 2 of sess_\w+ is missing/)
    })

    it('skip-past: doctor finds that a session has no past, which a fork would be made from', async () => {
      expect(await found('session.create', { topic: 'a child' })).toBe('')
      expect(await found('session.create', { topic: 'a child' }, 'skip-past')).toMatch(
        /row_versions sessions\/1\/3 .* is missing/,
      )
    })
  })
}
