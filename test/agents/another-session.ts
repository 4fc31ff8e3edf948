// `cairn use` of another session in a folder, while an agent works there.
import { describe, expect, it } from 'vitest'
import { claude, codex } from './agents.ts'
import { childrenOf, setUpFor, turn } from './repository.ts'

describe.each([claude, codex])('$name at work', (agent) => {
  it('stays where it began, and the next one begins where the folder is now', async () => {
    const place = await setUpFor(agent)
    const { session_id: began } = await place.answer(['session', 'show'])
    const others: string[] = []
    const useAnother = async () => {
      const other = await place.session('Another')
      others.push(other)
      await place.answer(['use', other])
      expect(await place.answer(['session', 'show'])).toMatchObject({ session_id: other })
    }
    const count = { tool: 'state_increment', arguments: { key: 'count' } }
    const look = { tool: 'state_get', arguments: { key: 'here' } }
    await place.answer(['state', 'set', 'here', '"where it began"'])
    // Twice before it has written anything, and once after.
    const script = [
      look,
      { ...look, before: useAnother },
      { ...count, before: useAnother },
      { ...count, before: useAnother },
    ]
    const results = await turn(agent, place, script)
    expect(results).toEqual([
      expect.stringContaining('"where it began"'),
      expect.stringContaining('"where it began"'),
      expect.stringContaining('"value":1'),
      expect.stringContaining('"value":2'),
    ])
    expect(others).toHaveLength(3)
    expect(await place.answer(['state', 'get', 'count', '--session', began])).toMatchObject({ value: 2, version: 2 })
    expect(await childrenOf(place, began)).toEqual({ [`${agent.client}-1`]: 'completed' })
    for (const other of others) {
      const { document } = await place.json(['state', 'get', '--session', other])
      expect(document).toMatchObject({ error: 'state_not_found' })
      expect(await childrenOf(place, other)).toEqual({})
    }

    expect((await turn(agent, place, [count]))[0]).toContain('"value":1')
    expect(await place.answer(['state', 'get', 'count'])).toMatchObject({ value: 1 })
    expect(await place.answer(['state', 'get', 'count', '--session', began])).toMatchObject({ value: 2 })
  })
})
