import { arrayKey, bigStore } from '../big-store.ts'
import { openStore } from '../library.ts'
import { interleaved, type Measured, msOfCalls } from '../measure.ts'
import { atMost, type Context, type Scenario } from '../scenario.ts'

type Read = (at: number | undefined) => Promise<unknown>
const points = 20

/** Each round reads another moment of the past; the same ones in every run. */
async function run(
  context: Context,
  reading: (context: Context) => Promise<{ read: Read; events: number }>,
): Promise<Measured> {
  const { read, events } = await reading(context)
  const calls = context.quick ? 1 : 3
  const random = randomFrom(1)
  return interleaved(
    points,
    () => {
      const at = Math.ceil(random() * events)
      return msOfCalls(calls, () => read(at))
    },
    () => msOfCalls(calls, () => read(undefined)),
  )
}

async function document(context: Context) {
  const { home, session, events } = await bigStore(context)
  const cairn = await openStore(context, { home })
  return { read: ((at) => cairn.state.all({ session, ...(at && { at }) })) as Read, events }
}

async function array(context: Context) {
  const { home, session, events } = await bigStore(context)
  const cairn = await openStore(context, { home })
  return { read: ((at) => cairn.state.get({ session, key: arrayKey, ...(at && { at }) })) as Read, events }
}

/** Numbers between 0 and 1 that look random and are the same each time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const shared = { against: 'the same as it is now', store: 'sqlite', unit: 'ms', target: atMost(3) } as const

export const readPast: readonly Scenario[] = [
  {
    ...shared,
    name: 'past-document',
    about: `the whole state of 10 000 keys at ${points} moments of 1 000 000 events`,
    run: (context) => run(context, document),
  },
  {
    ...shared,
    name: 'past-array',
    about: `an array of 1 MB at ${points} moments of 1 000 000 events`,
    run: (context) => run(context, array),
  },
]
