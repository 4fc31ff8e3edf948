import { bigStore, counterName, keyCount } from '../big-store.ts'
import { newRoot, openStore } from '../library.ts'
import { interleaved, type Measured, rateOfCallers } from '../measure.ts'
import { atMost, type Context, manyCallers, type Scenario } from '../scenario.ts'

async function run(context: Context, callers: number): Promise<Measured> {
  const { home, session } = await bigStore(context)
  const deep = await openStore(context, { home })
  const { cairn: shallow, session: root } = await newRoot(context)
  const keys = Array.from({ length: callers }, (_, caller) => counterName(Math.floor((caller * keyCount) / callers)))
  const ms = async (ask: (key: string) => Promise<unknown>) =>
    1000 / (await rateOfCallers(context.roundMs, callers, (caller) => ask(keys[caller] as string)))
  return interleaved(
    context.rounds,
    () => ms((key) => deep.state.increment({ session, key })),
    () => ms((key) => shallow.state.increment({ session: root, key })),
  )
}

const shared = {
  against: 'the same on a root that was empty',
  store: 'sqlite',
  unit: 'ms',
  target: atMost(1.3),
} as const

export const incrementDeep: readonly Scenario[] = [
  {
    ...shared,
    name: 'deep-one-caller',
    about: 'one increment above 10 000 keys and 1 000 000 events, one caller',
    run: (context) => run(context, 1),
  },
  {
    ...shared,
    name: 'deep-64-callers',
    about: 'one increment above 10 000 keys and 1 000 000 events, 64 callers, a key each',
    run: (context) => run(context, manyCallers),
  },
]
