// A root with something of everything in it, and pictures of it: all that can be read of it, without the names that a fork has others of.
import type { Cairn } from '../../src/open.ts'
import { outcomeOf, wholeLog } from '../upkeep/reading.ts'

/** What the sessions of a root are called, replaced by their numbers. */
async function anonymous(cairn: Cairn, session: string, answer: unknown): Promise<unknown> {
  const { root_session_id: root } = await cairn.session.show({ session })
  const names = new Map<string, string>()
  const meet = ({ session_id, slug, session_name, topic, created_at, children }: Tree) => {
    for (const each of [session_id, slug, session_name]) names.set(each, `${topic} of ${created_at}`)
    for (const child of children) meet(child)
  }
  meet((await cairn.session.tree({ session: root })) as unknown as Tree)
  let text = JSON.stringify(answer)
  for (const [name, instead] of [...names].sort(([a], [b]) => b.length - a.length)) {
    text = text.replaceAll(JSON.stringify(name).slice(1, -1), instead)
  }
  return JSON.parse(text)
}

interface Tree {
  readonly session_id: string
  readonly session_name: string
  readonly slug: string
  readonly topic: string
  readonly created_at: string
  readonly children: readonly Tree[]
}

/** What is there now. */
export async function presentOf(cairn: Cairn, session: string): Promise<unknown> {
  const now = {
    state: await outcomeOf(cairn.state.all({ session })),
    summary: await cairn.state.summary({ session, max_keys: 100, max_bytes: 60_000 }),
    schemas: await cairn.schema.list({ session }),
    tree: await cairn.session.tree({ session }),
  }
  return anonymous(cairn, session, now)
}

/** What can be said of all events up to one, in a log that may go on. */
export async function pastOf(cairn: Cairn, session: string, upto: number): Promise<unknown> {
  const log = (await wholeLog(cairn, session)).filter(({ seq }) => seq <= upto)
  const keys = [...new Set(log.flatMap(({ key }) => (key === null ? [] : [key])))]
  const places = Array.from({ length: upto }, (_, place) => place + 1)
  const mutations = places.slice(0, log.filter(({ stream }) => stream === 'state').length)
  const past = {
    log,
    states: await Promise.all(places.map((at) => outcomeOf(cairn.state.all({ session, at })))),
    // Each is made of two of the states.
    differences: await Promise.all(
      places.filter((to) => to % 3 === 0).map((to) => outcomeOf(cairn.state.diff({ session, from: to >> 1, to }))),
    ),
    reasons: await Promise.all(
      keys.map((key, at) => outcomeOf(cairn.state.why({ session, key, at: upto - (at % 5) }))),
    ),
    histories: await Promise.all(keys.map((key) => historyOf(cairn, session, key, upto))),
    mutations: await mutationsOf(cairn, session, mutations.length),
    mutated: await Promise.all(mutations.map((at_sequence) => outcomeOf(cairn.state.all({ session, at_sequence })))),
  }
  return anonymous(cairn, session, past)
}

async function mutationsOf(cairn: Cairn, session: string, count: number): Promise<unknown> {
  return count === 0 ? [] : (await cairn.state.events({ session, limit: count })).events
}

async function historyOf(cairn: Cairn, session: string, key: string, upto: number): Promise<unknown> {
  const all: { seq: number; version: number }[] = []
  for (let before: number | undefined, more = true; more; before = all.at(-1)?.version) {
    const page = await cairn.state.history({ session, key, limit: 100, ...(before && { before }) })
    all.push(...page.versions)
    more = page.has_more
  }
  return all.filter(({ seq }) => seq <= upto)
}

/** Everything that can be read of a root. */
export async function pictureOf(cairn: Cairn, session: string): Promise<unknown> {
  const { last_seq: upto } = await cairn.log.list({ session, limit: 1 })
  const now = await presentOf(cairn, session)
  return { now, past: await pastOf(cairn, session, upto) }
}

const long = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`member ${at}`, `${at} `.repeat(20)]))

/** One of everything that writes; each is done for itself, and is one or several events. */
export function deeds(cairn: Cairn, session: string): (() => Promise<unknown>)[] {
  const child = async () => (await cairn.session.show({ session })).children.at(-1) as string
  return [
    () => cairn.state.set({ session, key: 'k', value: { a: 1 } }),
    () => cairn.session.create({ topic: 'a child', parent: session }),
    () => cairn.state.append({ session, key: 'list', items: [1] }),
    async () => cairn.state.set({ session: await child(), key: 'own', value: 'mine', ephemeral: true }),
    () => cairn.state.append({ session, key: 'list', items: ['x'.repeat(5000)] }),
    () => cairn.state.set({ session, key: 'later', value: 1, ttl: '24h' }),
    () => cairn.state.set({ session, key: 'long', value: long }),
    () => cairn.state.merge({ session, key: 'long', patch: { 'member 3': null, more: [1] } }),
    () => cairn.state.jsonPatch({ session, key: 'long', operations: [{ op: 'add', path: '/more/-', value: 2 }] }),
    () => cairn.schema.set({ session, target: 'n', schema: { type: 'integer' } }),
    () => cairn.state.increment({ session, key: 'n', delta: 3 }),
    () => cairn.state.counterAdd({ session, key: 'counter', value: 2, replica: 'a' }),
    () => cairn.state.setAdd({ session, key: 'set', items: ['a', 'b'] }),
    () => cairn.state.setRemove({ session, key: 'set', items: ['a'] }),
    () => cairn.state.registerSet({ session, key: 'register', value: 'r' }),
    async () => cairn.session.end({ session: await child() }),
    () => cairn.state.append({ session, key: 'list', items: [2, 3] }),
    () => cairn.state.delete({ session, key: 'k' }),
    () => cairn.schema.delete({ session, target: 'n' }),
    () => cairn.state.batch({ session, operations: batch }),
    () => outcomeOf(cairn.lease.claim({ session, name: 'turn', ttl: '1h', holder: 'me' })),
    () => cairn.state.restore({ session, to: 4, keys: ['k'] }),
    () => cairn.state.patch({ session, patch: { 'long.more': null, fresh: { $increment: 2 } } }),
  ]
}

const batch = [
  { op: 'increment' as const, key: 'n' },
  { op: 'set' as const, key: 'k', value: 'again' },
  { op: 'append' as const, key: 'list', items: [4] },
]

/** Does everything, with a picture of what was there after each event that ended one of them. */
export async function doAll(cairn: Cairn, session: string): Promise<Map<number, unknown>> {
  const pictures = new Map<number, unknown>()
  for (const deed of deeds(cairn, session)) {
    await deed()
    const { last_seq: seq } = await cairn.log.list({ session, limit: 1 })
    pictures.set(seq, await presentOf(cairn, session))
  }
  return pictures
}

/** Removes a root, whatever runs in it. */
export async function removeRoot(cairn: Cairn, session: string): Promise<unknown> {
  const { slug: confirm } = await cairn.session.show({ session })
  return cairn.store.remove({ session, confirm, force: true })
}

export async function eraseKey(cairn: Cairn, session: string, key: string) {
  const { slug: confirm } = await cairn.session.show({ session })
  return cairn.store.erase({ session, key, confirm })
}
