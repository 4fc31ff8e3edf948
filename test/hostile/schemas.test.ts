// Schemas whose patterns are much work: a check ends when it has taken its share, and says so.
import { expect, it } from 'vitest'
import { newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  const store = sharedStore(kind)

  it(`U53 a pattern of many steps over a long text is given up early, also over many keys, on ${kind.name}`, async () => {
    const { cairn } = await newRoot(store())
    await cairn.state.set({ key: 'long', value: 'a'.repeat(900_000) })
    const schema = { pattern: 'a{1000}b' }
    expect(await refused(cairn.schema.set({ target: 'long', schema }))).toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/steps/),
    })
    for (let at = 0; at < 12; at++) await cairn.state.set({ key: `part ${at}`, value: 'a'.repeat(4000) })
    expect(await refused(cairn.schema.set({ target: 'part ', prefix: true, schema }))).toMatchObject({
      details: { limit: 'schemaSteps' },
    })
    expect((await cairn.schema.list({})).schemas).toEqual([])
  })
}
