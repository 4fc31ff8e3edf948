import { join } from 'node:path'
import { Bare } from '../bare.ts'
import { newRoot } from '../library.ts'
import { interleaved, type Measured, rateOfCallers, rateOfSteps } from '../measure.ts'
import { atLeast, type Context, manyCallers, type Scenario } from '../scenario.ts'

interface Way {
  readonly keys: number
  readonly withRequests: boolean
}

async function run(context: Context, { keys, withRequests }: Way): Promise<Measured> {
  const { cairn, session } = await newRoot(context)
  const bare = Bare.create(join(context.folder(), 'bare.db'))
  context.atEnd(() => bare.close())
  const names = Array.from({ length: manyCallers }, (_, caller) => `counter-${100 + (caller % keys)}`)
  let asked = 0
  const ask = (caller: number) => {
    const key = names[caller] as string
    if (!withRequests) return cairn.state.increment({ session, key })
    asked += 1
    return cairn.state.increment({ session, key, request_id: String(asked).padStart(32, '0') })
  }
  return interleaved(
    context.rounds,
    () => rateOfCallers(context.roundMs, manyCallers, ask),
    () => rateOfSteps(context.roundMs, manyCallers, () => bare.increment(names, withRequests)),
  )
}

const shared = { store: 'sqlite', unit: '/s' } as const
const against = `the raw driver, ${manyCallers} in each transaction`

export const incrementMany: readonly Scenario[] = [
  {
    ...shared,
    name: 'increment-64-keys',
    about: 'durable increments, 64 callers, a key each',
    against,
    target: atLeast(1.3),
    run: (context) => run(context, { keys: manyCallers, withRequests: false }),
  },
  {
    ...shared,
    name: 'increment-one-key',
    about: 'durable increments, 64 callers, one key',
    against,
    target: atLeast(0.8),
    run: (context) => run(context, { keys: 1, withRequests: false }),
  },
  {
    ...shared,
    name: 'increment-requests',
    about: 'durable increments, 64 callers, a key each, a request id each time',
    against: `${against}, remembering the id`,
    target: atLeast(1.1),
    run: (context) => run(context, { keys: manyCallers, withRequests: true }),
  },
]
