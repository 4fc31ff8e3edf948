import { join } from 'node:path'
import { Bare } from '../bare.ts'
import { newRoot } from '../library.ts'
import { interleaved, rateOfCallers, rateOfSteps } from '../measure.ts'
import { atLeast, type Scenario } from '../scenario.ts'

export const incrementOne: Scenario = {
  name: 'increment-one-caller',
  about: 'durable increments, one caller',
  against: 'the raw driver, one in each transaction',
  store: 'sqlite',
  unit: '/s',
  target: atLeast(0.9),
  async run(context) {
    const { cairn, session } = await newRoot(context)
    const bare = Bare.create(join(context.folder(), 'bare.db'))
    context.atEnd(() => bare.close())
    const key = 'counter-100'
    return interleaved(
      context.rounds,
      () => rateOfCallers(context.roundMs, 1, () => cairn.state.increment({ session, key })),
      () => rateOfSteps(context.roundMs, 1, () => bare.increment([key])),
    )
  },
}
