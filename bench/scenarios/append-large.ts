import { newRoot } from '../library.ts'
import { interleaved, msOfCalls } from '../measure.ts'
import { atMost, type Scenario } from '../scenario.ts'

const arrayBytes = 1_000_000
const item = 'x'.repeat(97)
const atOnce = 200

export const appendLarge: Scenario = {
  name: 'append-large-array',
  about: 'append of one item to an array of 1 MB, one caller',
  against: 'the same to an empty array',
  store: 'sqlite',
  unit: 'ms',
  target: atMost(2),
  async run(context) {
    const { cairn, session } = await newRoot(context)
    const items = Math.ceil(arrayBytes / (item.length + 3))
    for (let made = 0; made < items; made += atOnce) {
      await Promise.all(
        Array.from({ length: atOnce }, () => cairn.state.append({ session, key: 'large', items: [item] })),
      )
    }
    const calls = Math.ceil(context.roundMs / 2)
    let empties = 0
    const makeEmpty = async () => {
      const key = `empty-${empties++}`
      await cairn.state.set({ session, key, value: [] })
      return key
    }
    return interleaved(
      context.rounds,
      () => msOfCalls(calls, () => cairn.state.append({ session, key: 'large', items: [item] })),
      async () => {
        const keys = await Promise.all(Array.from({ length: calls }, makeEmpty))
        return msOfCalls(calls, (at) => cairn.state.append({ session, key: keys[at] as string, items: [item] }))
      },
    )
  },
}
