import { newRoot } from '../library.ts'
import { interleaved, type Measured, rateOfCallers } from '../measure.ts'
import { atLeast, type Context, manyCallers, type Scenario } from '../scenario.ts'

type Opened = Awaited<ReturnType<typeof newRoot>>
type Ask = (opened: Opened, key: string, time: number) => Promise<unknown>

/** Items that come and go; a set that only grew would measure its size. */
const itemsInUse = 4

async function run(context: Context, ask: Ask): Promise<Measured> {
  const opened = await newRoot(context)
  const keys = Array.from({ length: manyCallers }, (_, caller) => `counter-${100 + caller}`)
  const { cairn, session } = await newRoot(context)
  let time = 0
  const ours = (caller: number) => {
    time += 1
    return ask(opened, keys[caller] as string, time)
  }
  return interleaved(
    context.rounds,
    () => rateOfCallers(context.roundMs, manyCallers, ours),
    () =>
      rateOfCallers(context.roundMs, manyCallers, (at) => cairn.state.increment({ session, key: keys[at] as string })),
  )
}

function scenario(name: string, about: string, ask: Ask): Scenario {
  return {
    name: `crdt-${name}`,
    about: `durable ${about}, ${manyCallers} callers, a key each`,
    against: 'plain increments by as many callers',
    store: 'sqlite',
    unit: '/s',
    target: atLeast(0.7),
    run: (context) => run(context, ask),
  }
}

export const crdt: readonly Scenario[] = [
  scenario('counter', 'additions to counters', ({ cairn, session }, key) => cairn.state.counterAdd({ session, key })),
  scenario('set', 'additions to sets and removals', ({ cairn, session }, key, time) => {
    const items = [`item ${time % itemsInUse}`]
    return time % 3 === 0 && time > 3 * manyCallers
      ? cairn.state.setRemove({ session, key, items })
      : cairn.state.setAdd({ session, key, items })
  }),
  scenario('register', 'writes of registers', ({ cairn, session }, key, time) =>
    cairn.state.registerSet({ session, key, value: time }),
  ),
]
