// When events happened, of some of them that are evenly spread.
import { describe, expect, it } from 'vitest'
import { byLogin } from '../../src/operations/by-login.ts'
import { operations } from '../../src/operations/index.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

describe.each(STORES)('log.times on $name', (kind) => {
  const store = sharedStore(kind)

  it('S0-103 has the first and the last event and evenly spread ones between, as the log has them', async () => {
    const { cairn, session } = await newRoot(store())
    for (let at = 0; at < 20; at++) await cairn.state.set({ session, key: 'n', value: at })
    const { events, last_seq: last } = await cairn.log.list({ session, since: 0 })
    const at = new Map(events.map((event) => [event.seq, event.at]))
    const { times, last_seq } = await cairn.log.times({ session, points: 5 })
    expect(last_seq).toBe(last)
    expect(times.map(({ seq }) => seq)).toEqual([1, 6, 11, 16, 21])
    expect(times.every((time) => at.get(time.seq) === time.at)).toBe(true)
    expect((await cairn.log.times({ session })).times).toHaveLength(last)
    expect((await cairn.log.times({ session, at: 3 })).times.map(({ seq }) => seq)).toEqual([1, 2, 3])
    const { session_id: fork } = await cairn.session.fork({ session, at: 8 })
    await cairn.state.set({ session: fork, key: 'n', value: 'fork' })
    const forked = await cairn.log.times({ session: fork, points: 3 })
    expect(forked.times.map(({ seq }) => seq)).toEqual([1, 5, 9])
    expect(forked.times[1]?.at).toBe(at.get(5))
  })
})

it('what a login may do are operations that change something', () => {
  const changing = Object.values(operations).flatMap((verbs) =>
    Object.values(verbs).flatMap(({ name, kind }) => (kind === 'change' || kind === 'upkeep' ? [name as string] : [])),
  )
  expect(Object.keys(byLogin).filter((name) => !changing.includes(name))).toEqual([])
})
