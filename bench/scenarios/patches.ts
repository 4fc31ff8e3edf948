import type { Cairn, Json } from '../../src/index.ts'
import { newRoot } from '../library.ts'
import { interleaved, type Measured, rateOfCallers, rateOfSteps } from '../measure.ts'
import { atLeast, atMost, type Context, manyCallers, type Scenario } from '../scenario.ts'

interface Place {
  readonly session: string
  readonly key: string
}

type Ask = (cairn: Cairn, place: Place, no: number) => Promise<unknown>

/** Each new way to write, as small as an increment. */
const ways: Readonly<Record<string, Ask>> = {
  patch: (cairn, { session, key }) => cairn.state.patch({ session, patch: { [key]: { $increment: 1 } } }),
  'patch-path': (cairn, { session, key }) =>
    cairn.state.patch({ session, patch: { [`o-${key}.n`]: { $increment: 1 } } }),
  merge: (cairn, { session, key }) => cairn.state.merge({ session, key: `m-${key}`, patch: { n: { $increment: 1 } } }),
  'json-patch': (cairn, { session, key }, no) =>
    cairn.state.jsonPatch({ session, key: `j-${key}`, operations: [{ op: 'add', path: '', value: no }] }),
  max: (cairn, { session, key }, no) => cairn.state.max({ session, key: `x-${key}`, value: no }),
  min: (cairn, { session, key }, no) => cairn.state.min({ session, key: `i-${key}`, value: -no }),
  'set-if-absent': (cairn, { session }, no) => cairn.state.setIfAbsent({ session, key: `s-${no % 5000}`, value: no }),
  mutate: (cairn, { session, key }) => cairn.state.mutate({ session, mutation: { type: 'increment', key } }),
}

async function small(context: Context, ask: Ask): Promise<Measured> {
  const { cairn, session } = await newRoot(context)
  const places = Array.from({ length: manyCallers }, (_, caller) => ({ session, key: `counter-${100 + caller}` }))
  let no = 0
  return interleaved(
    context.rounds,
    () => rateOfCallers(context.roundMs, manyCallers, (caller) => ask(cairn, places[caller] as Place, ++no)),
    () => rateOfCallers(context.roundMs, manyCallers, (caller) => cairn.state.increment(places[caller] as Place)),
  )
}

/** A value of 100 KB: a thousand members, each an object. */
function largeValue(): { [key: string]: Json } {
  const members = Array.from({ length: 1000 }, (_, at) => [
    `member-${at}`,
    { at, text: 'x'.repeat(60), tags: ['a', 'b'] },
  ])
  return Object.fromEntries(members)
}

const largeWays: Readonly<Record<string, { ask: Ask; apply: (value: { [key: string]: Json }, no: number) => void }>> = {
  'merge-large': {
    ask: (cairn, place, no) =>
      cairn.state.merge({ ...place, patch: { [`member-${no % 1000}`]: { at: { $increment: 1 } } } }),
    apply: (value, no) => {
      const member = value[`member-${no % 1000}`] as { at: number }
      member.at += 1
    },
  },
  'json-patch-large': {
    ask: (cairn, place, no) =>
      cairn.state.jsonPatch({ ...place, operations: [{ op: 'replace', path: `/member-${no % 1000}/at`, value: no }] }),
    apply: (value, no) => {
      const member = value[`member-${no % 1000}`] as { at: number }
      member.at = no
    },
  },
}

/** Milliseconds of one change, as part of many at once. */
async function large(context: Context, { ask, apply }: (typeof largeWays)[string]): Promise<Measured> {
  const { cairn, session } = await newRoot(context)
  const place = { session, key: 'large' }
  await cairn.state.set({ ...place, value: largeValue() })
  let text = JSON.stringify(largeValue())
  let no = 0
  const step = () => {
    const value = JSON.parse(text)
    apply(value, ++no)
    text = JSON.stringify(value)
  }
  return interleaved(
    context.rounds,
    async () => 1000 / (await rateOfCallers(context.roundMs, manyCallers, () => ask(cairn, place, ++no))),
    () => 1000 / rateOfSteps(context.roundMs, 1, step),
  )
}

const smallOnes = Object.entries(ways).map(
  ([name, ask]): Scenario => ({
    name: `write-${name}`,
    about: `durable ${name}, 64 callers, a key each`,
    against: 'the plain increment, 64 callers, a key each',
    store: 'sqlite',
    unit: '/s',
    target: atLeast(0.7),
    run: (context) => small(context, ask),
  }),
)

const largeOnes = Object.entries(largeWays).map(
  ([name, way]): Scenario => ({
    name: `write-${name}`,
    about: `durable ${name} of a value of 100 KB, 64 callers, one key`,
    against: 'parse, apply and stringify of the same value',
    store: 'sqlite',
    unit: 'ms',
    target: atMost(3),
    run: (context) => large(context, way),
  }),
)

export const patches: readonly Scenario[] = [...smallOnes, ...largeOnes]
