// Random histories of shared state for those who follow it: all that can happen to it, over one or more roots.
import fc from 'fast-check'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import type { Json } from '../../src/index.ts'
import type { Cairn } from '../../src/open.ts'

export type Methods = Pick<Cairn, 'state' | 'session' | 'log'>

/** What happens: below which of the roots, and what. */
export interface Happening {
  readonly root: number
  readonly what: Step
}

type Step =
  | { readonly op: 'mutate'; readonly method: Mutating; readonly input: object }
  | { readonly op: 'lapsing'; readonly key: string; readonly isOwned: boolean }
  | { readonly op: 'restore'; readonly point: number }
  | { readonly op: 'pass'; readonly isNoticed: boolean }
  | { readonly op: 'end' }
  | { readonly op: 'fork'; readonly point: number }

type Mutating = Exclude<keyof Cairn['state'], 'update' | 'watch'>

const key = fc.constantFrom('a', 'b', 'n', 'list', 'long', 'o', 'c', 's', 'r', 'ü\u{1f600}', 'z z')
const small = fc.oneof(
  fc.constantFrom<Json>(null, 0, false, '', [], {}, { m: null }),
  fc.integer({ min: -99, max: 99 }),
  fc.string({ maxLength: 8, unit: 'grapheme-ascii' }),
)
/** On both sides of what is told along with a change. */
const text = fc.integer({ min: 1, max: 5000 }).map((length) => 'é'.repeat(length))
const wide = fc.integer({ min: 4, max: 90 }).map((count) => Object.fromEntries(names(count, 'm', 'x'.repeat(50))))
const value = fc.oneof({ weight: 5, arbitrary: small }, text, wide)
const items = fc.array(fc.oneof(small, text), { maxLength: 3 })

function names(count: number, prefix: string, value: Json): [string, Json][] {
  return Array.from({ length: count }, (_, at) => [`${prefix}${at}`, value])
}

const document = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(key, value, { maxKeys: 6 }) },
  // More than are told one by one, or nearly.
  fc.constantFrom(499, 500, 501, 620).map((count) => Object.fromEntries(names(count, 'k', count))),
)

const patch = fc.dictionary(fc.constantFrom('m0', 'm1', 'm2', 'm3', 'm7'), fc.oneof(fc.constant(null), small, text), {
  maxKeys: 4,
})

const lists = fc.constantFrom('list', 'long', 'a')

const operation = fc.oneof(
  fc.record({ op: fc.constant('set'), key, value }),
  fc.record({ op: fc.constant('delete'), key }),
  fc.record({ op: fc.constant('increment'), key: fc.constantFrom('n', 'a') }),
  fc.record({ op: fc.constant('append'), key: fc.constantFrom('list', 'long'), items }),
  fc.record({ op: fc.constant('merge'), key: fc.constantFrom('o', 'a'), patch }),
)

/** As many as it takes for some of them to be written over others. */
const appends = lists.chain((key) =>
  fc.array(fc.record({ op: fc.constant('append'), key: fc.constant(key), items: fc.array(small, { maxLength: 2 }) }), {
    minLength: 15,
    maxLength: 40,
  }),
)

/** An object that is a little too long to be told, then short enough, and so on. */
const brink = fc.dictionary(fc.constantFrom('m0', 'm1', 'm2', 'm3'), fc.constantFrom(null, 'x'.repeat(50)), {
  minKeys: 1,
})
const shrinking = fc.integer({ min: 70, max: 72 }).chain((count) =>
  fc
    .array(fc.record({ op: fc.constant('merge'), key: fc.constant('o'), patch: brink }), {
      minLength: 5,
      maxLength: 12,
    })
    .map((merges) => [
      { op: 'set', key: 'o', value: Object.fromEntries(names(count, 'm', 'x'.repeat(50))) },
      ...merges,
    ]),
)

function mutation(method: Mutating, input: fc.Arbitrary<object>): fc.Arbitrary<Step> {
  return input.map((made) => ({ op: 'mutate', method, input: made }))
}

const objects = fc.constantFrom('o', 'a', 'b')
const number = fc.integer({ min: -9, max: 9 })

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: mutation('set', fc.record({ key, value })) },
  { weight: 3, arbitrary: mutation('delete', fc.record({ key })) },
  { weight: 8, arbitrary: mutation('append', fc.record({ key: lists, items })) },
  { weight: 5, arbitrary: mutation('merge', fc.record({ key: objects, patch })) },
  { weight: 4, arbitrary: mutation('batch', fc.record({ operations: fc.oneof(appends, shrinking) })) },
  mutation('increment', fc.record({ key, delta: number })),
  mutation('max', fc.record({ key: fc.constant('n'), value: number })),
  mutation('setIfAbsent', fc.record({ key, value })),
  mutation('counterAdd', fc.record({ key: fc.constant('c'), value: number })),
  mutation('setAdd', fc.record({ key: fc.constant('s'), items: fc.array(small, { maxLength: 3 }) })),
  mutation('setRemove', fc.record({ key: fc.constant('s'), items: fc.array(small, { maxLength: 3 }) })),
  mutation('registerSet', fc.record({ key: fc.constant('r'), value })),
  { weight: 3, arbitrary: mutation('replace', fc.record({ state: document })) },
  { weight: 2, arbitrary: mutation('patch', fc.record({ patch: fc.dictionary(key, value, { maxKeys: 5 }) })) },
  {
    weight: 3,
    arbitrary: mutation('batch', fc.record({ operations: fc.array(operation, { minLength: 1, maxLength: 20 }) })),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('lapsing'), key, isOwned: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('restore'), point: fc.nat(99) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('pass'), isNoticed: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ op: 'end' }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('fork'), point: fc.nat(99) }) },
) as fc.Arbitrary<Step>

const first = mutation('init', fc.record({ initial_state: document })).map((what) => ({ root: 0, what }))

export const happenings: fc.Arbitrary<Happening[]> = fc
  .tuple(
    fc.array(first, { maxLength: 1 }),
    fc.array(fc.record({ root: fc.nat(2), what: step }), { minLength: 10, maxLength: 60 }),
  )
  .map((parts) => parts.flat())

/** Some roots, of which the first is there from the beginning, and others are forks. */
export class History {
  readonly roots: string[]
  readonly #cairn: Methods
  readonly #pass: (ms: number) => void
  /** The session that has keys of its own, below each root. */
  readonly #owners = new Map<string, string>()

  constructor(cairn: Methods, root: string, pass: (ms: number) => void) {
    this.#cairn = cairn
    this.#pass = pass
    this.roots = [root]
  }

  /** What is refused does not happen. */
  async happen({ root, what }: Happening): Promise<void> {
    const session = this.roots[root % this.roots.length] as string
    try {
      await this.#happen(session, what)
    } catch (error) {
      if (!(error instanceof CairnRefusal)) throw error
    }
  }

  async #happen(session: string, what: Step): Promise<unknown> {
    const { state, session: sessions } = this.#cairn
    switch (what.op) {
      case 'mutate':
        return (state[what.method] as (input: object) => Promise<unknown>)({ session, ...what.input })
      case 'lapsing': {
        const lapse = what.isOwned ? { session: await this.#owner(session), ephemeral: true } : { session, ttl: '1h' }
        return state.set({ key: what.key, value: 'for a while', ...lapse })
      }
      case 'restore':
        return state.restore({ session, to: await this.#point(session, what.point) })
      case 'pass':
        this.#pass(3_600_000)
        return what.isNoticed ? state.all({ session }) : undefined
      case 'end': {
        const owner = await this.#owner(session)
        this.#owners.delete(session)
        return sessions.end({ session: owner })
      }
      case 'fork': {
        const { session_id: fork } = await sessions.fork({ session, at: await this.#point(session, what.point) })
        return this.roots.push(fork)
      }
    }
  }

  async #owner(root: string): Promise<string> {
    const known = this.#owners.get(root)
    if (known !== undefined) return known
    const { session_id: made } = await this.#cairn.session.create({ topic: 'an owner', parent: root })
    this.#owners.set(root, made)
    return made
  }

  /** A place in the log, by hundredths of its length. */
  async #point(session: string, hundredths: number): Promise<number> {
    const { last_seq: last } = await this.#cairn.log.list({ session, limit: 1 })
    return Math.max(1, Math.floor((last * hundredths) / 99))
  }
}
