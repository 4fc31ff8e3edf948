// A conversation that was rewound over and over: no event of it grows, and what is read is what was left.
import { expect, it } from 'vitest'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const rewinds = 300

for (const kind of STORES) {
  const store = sharedStore(kind)

  it(`C16 the last of many rewinds says no more than an early one on ${kind.name}`, async () => {
    const { cairn, session } = await newRoot(store())
    const say = (content: string) => cairn.context.append({ session, role: 'user', content, id: content })
    for (let at = 0; at < rewinds; at++) {
      const { sequence_number: to_point } = await say(`stays ${at}`)
      await say(`goes ${at}`)
      expect((await cairn.context.overwrite({ session, to_point })).hidden).toBe(1)
    }
    const { messages } = await cairn.context.show({ session, format: 'raw', all: true })
    const said = (messages as { type: string; data: object }[]).filter(({ type }) => type === 'context_rewound')
    expect(said).toHaveLength(rewinds)
    expect(Math.max(...said.map(({ data }) => JSON.stringify(data).length))).toBeLessThan(2000)
    const shown = (await cairn.context.show({ session })).messages as { content: string }[]
    expect(shown.map(({ content }) => content)).toEqual(said.map((_, at) => `stays ${at}`))
    expect(await say('stays 0')).toMatchObject({ repeated: true, sequence_number: 1 })
    await expect(say('goes 0')).rejects.toMatchObject({ code: 'already_exists' })
    const { session_id: beside, copied } = await cairn.context.copy({ session, context_only: true })
    expect(copied).toBe(rewinds)
    expect((await cairn.context.show({ session: beside })).messages).toEqual(shown)
    const { hidden } = await cairn.context.overwrite({ session, to_point: 1 })
    expect(hidden).toBe(rewinds - 1)
    expect((await cairn.context.show({ session: beside })).messages).toEqual(shown)
  })
}
