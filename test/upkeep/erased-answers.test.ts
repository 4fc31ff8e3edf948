import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { type Mutations, mutationMethods, mutations } from '../../src/operations/state/mutations/index.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { allRows } from './reading.ts'

const secret = 'swordfish-0815'
/** For operations that take nothing but numbers. */
const number = 815_081_508_150
const key = 'k'

/** What is asked of each mutation of a key: a new one does not compile without a line here. */
const asked: { readonly [Op in keyof Mutations]: object } = {
  set: { value: secret },
  delete: {},
  increment: { delta: number },
  append: { items: [secret] },
  merge: { patch: { a: secret } },
  json_patch: { operations: [{ op: 'add', path: '/a', value: secret }] },
  min: { value: number },
  max: { value: number },
  set_if_absent: { value: secret },
  counter_add: { value: number },
  set_add: { items: [secret] },
  set_remove: { items: [secret] },
  register_set: { value: secret },
}

/** What the key has to be first. */
const before: { readonly [Op in keyof Mutations]?: (cairn: Cairn) => Promise<unknown> } = {
  delete: (cairn) => cairn.state.set({ key, value: secret }),
  json_patch: (cairn) => cairn.state.set({ key, value: {} }),
  min: (cairn) => cairn.state.set({ key, value: number + 1 }),
  set_remove: (cairn) => cairn.state.setAdd({ key, items: [secret] }),
}

interface Case {
  readonly prepare?: ((cairn: Cairn) => Promise<unknown>) | undefined
  readonly ask: (cairn: Cairn, request_id: string) => Promise<object>
}

const methods = Object.keys(mutationMethods) as (keyof typeof mutationMethods)[]

const ofKeys = Object.keys(mutations).map((word, at): [string, Case] => {
  const op = word as keyof Mutations
  const method = methods[at] as (typeof methods)[number]
  // Each takes an input of its own, which is checked when it is asked.
  const ask = (cairn: Cairn, request_id: string) => cairn.state[method]({ key, ...asked[op], request_id } as never)
  return [method, { prepare: before[op], ask }]
})

const inBatches = Object.keys(mutations).map((word): [string, Case] => {
  const op = word as keyof Mutations
  const ask = (cairn: Cairn, request_id: string) =>
    cairn.state.batch({
      operations: [{ op: 'set', key: 'n', value: 1 }, { op, key, ...asked[op] } as never],
      request_id,
    })
  return [`batch of ${op}`, { prepare: before[op], ask }]
})

const ofDocuments: Record<string, Case> = {
  init: { ask: (cairn, request_id) => cairn.state.init({ initial_state: { [key]: secret }, request_id }) },
  replace: { ask: (cairn, request_id) => cairn.state.replace({ state: { [key]: { deep: [secret] } }, request_id }) },
  patch: { ask: (cairn, request_id) => cairn.state.patch({ patch: { [key]: secret, n: 1 }, request_id }) },
  'patch of a part': {
    prepare: (cairn) => cairn.state.set({ key, value: { a: secret } }),
    ask: (cairn, request_id) => cairn.state.patch({ patch: { [`${key}.b`]: 1 }, request_id }),
  },
  mutate: {
    ask: (cairn, request_id) => cairn.state.mutate({ mutation: { type: 'set', key, value: secret }, request_id }),
  },
  restore: {
    async prepare(cairn) {
      await cairn.state.set({ key, value: secret })
      await cairn.state.set({ key, value: 1 })
    },
    ask: (cairn, request_id) => cairn.state.restore({ to: 2, request_id }),
  },
}

/** Tables, and for SQLite files, in which the secret stands. */
async function whereIs(store: TestStore): Promise<string[]> {
  const found = (text: string) => text.includes(secret) || text.includes(String(number))
  const tables = Object.entries(await allRows(store)).filter(([, rows]) => found(JSON.stringify(rows)))
  const files = store.kind === 'SQLite' ? readdirSync(store.home) : []
  const holding = files.filter((file) => found(readFileSync(join(store.home, file), 'latin1')))
  return [...tables.map(([table]) => table), ...holding]
}

for (const kind of STORES) {
  describe(`what is remembered of an erased key on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it.each([...ofKeys, ...inBatches, ...Object.entries(ofDocuments)])(
      'U50 nothing of %s',
      async (_name, { prepare, ask }) => {
        const { cairn, session } = await newRoot(store())
        await prepare?.(cairn)
        await ask(cairn, `${session} once`)
        expect(await whereIs(store())).toContain('events')
        const { slug: confirm } = await cairn.session.show({ session })
        await cairn.store.erase({ session, key, confirm })
        expect(await whereIs(store())).toEqual([])
        const again = JSON.stringify(await ask(cairn, `${session} once`))
        expect([secret, String(number)].filter((text) => again.includes(text))).toEqual([])
        expect(await whereIs(store())).toEqual([])
      },
    )
  })
}
