import { join } from 'node:path'
import { Bare } from '../bare.ts'
import { newRoot } from '../library.ts'
import { interleaved, rateOfCallers, rateOfSteps } from '../measure.ts'
import { atLeast, type Scenario } from '../scenario.ts'

export const readKey: Scenario = {
  name: 'read-key',
  about: 'reads of one key, one caller',
  against: 'a prepared SELECT of the same row',
  store: 'sqlite',
  unit: '/s',
  target: atLeast(0.5),
  async run(context) {
    const { cairn, session } = await newRoot(context)
    const bare = Bare.create(join(context.folder(), 'bare.db'))
    context.atEnd(() => bare.close())
    const key = 'counter-100'
    await cairn.state.increment({ session, key })
    bare.increment([key])
    return interleaved(
      context.rounds,
      () => rateOfCallers(context.roundMs, 1, () => cairn.state.get({ session, key })),
      () => rateOfSteps(context.roundMs, 1, () => bare.read(key)),
    )
  },
}
