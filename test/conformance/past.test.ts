import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Cairn, CairnRefusal, type Json } from '../../src/index.ts'
import { NaiveState, type Step } from '../setup/naive-state.ts'
import { type Draw, drawing, randomStep, randomValue } from '../setup/random-steps.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const SEEDS = process.env.CAIRN_LONG ? Array.from({ length: 12 }, (_, at) => at + 1) : [1]
const stepsOfHistory = 620

async function codeOf(answering: Promise<unknown>): Promise<string | undefined> {
  try {
    await answering
    return undefined
  } catch (error) {
    if (error instanceof CairnRefusal) return error.code
    throw error
  }
}

function send(cairn: Cairn, session: string, step: Step): Promise<unknown> {
  const { op, ...rest } = step
  const method = op === 'json_patch' ? 'jsonPatch' : op
  if (op !== 'set') return (cairn.state[method] as (input: object) => Promise<unknown>)({ session, ...rest })
  const { if_match: version, ...input } = rest as Step & { op: 'set' }
  return cairn.state.set({ session, ...input, ...(version === undefined ? {} : { version }) })
}

/** Calls enter the log in the order in which they are made, once their session was met: looking it up takes time. */
async function met(libraries: Cairn[], session: string): Promise<string> {
  for (const library of libraries) await library.session.show({ session })
  return session
}

/**
 * Plays a random history through two libraries in turn, so that what one remembers is always stale for a while, many
 * calls at once; a model is told the same in the same order.
 */
async function play(draw: Draw, libraries: Cairn[], root: string): Promise<NaiveState> {
  const state = new NaiveState()
  const acting = [await met(libraries, root)]
  for (let step = 0; step < stepsOfHistory; ) {
    const cairn = libraries[draw(libraries.length)] as Cairn
    const bunch: Promise<void>[] = []
    for (let size = 1 + draw(14); size > 0; size--, step++) {
      const session = acting[draw(acting.length)] as string
      const pick = draw(100)
      if (pick === 0 && acting.length < 6) acting.push(await met(libraries, await newChild(cairn, session)))
      const steps = Array.from({ length: pick < 8 ? 2 + draw(5) : 1 }, () => randomStep(draw, state))
      if (pick === 8) {
        const next = { ...state.document(), [`x${draw(4)}`]: randomValue(draw) }
        delete next[['l1', 'o1', 'x1', 'n1'][draw(4)] as string]
        state.replace(next)
        bunch.push(codeOf(cairn.state.replace({ session, state: next })).then((code) => expect(code).toBeUndefined()))
        continue
      }
      const wanted = state.apply(steps)
      const sent = pick < 8 ? cairn.state.batch({ session, operations: steps }) : send(cairn, session, steps[0] as Step)
      bunch.push(codeOf(sent).then((code) => expect(code, JSON.stringify(steps)).toBe(wanted)))
    }
    await Promise.all(bunch)
  }
  return state
}

/** Versions of the state by place in the log: index is `seq`. */
async function versionsBySeq(cairn: Cairn, session: string): Promise<number[]> {
  const versions = [0]
  for (let more = true; more; ) {
    const page = await cairn.log.list({ session, since: versions.length - 1, limit: 200 })
    for (const event of page.events as { stream: string }[]) {
      versions.push((versions.at(-1) as number) + (event.stream === 'state' ? 1 : 0))
    }
    more = page.has_more
  }
  return versions
}

/** Several at once: what takes long is the way to the store and back. */
async function each(numbers: Iterable<number>, check: (number: number) => Promise<void>): Promise<void> {
  const left = [...numbers]
  const next = async () => {
    for (let number = left.pop(); number !== undefined; number = left.pop()) await check(number)
  }
  await Promise.all(Array.from({ length: 8 }, next))
}

function same(answer: { state: unknown; keys: unknown }, point: string, what: string): void {
  const wanted = JSON.parse(point) as Record<string, { value: Json; version: number }>
  const keys = answer.keys as Record<string, { value: Json; version: number }>
  const found = Object.fromEntries(Object.entries(keys).map(([key, { value, version }]) => [key, { value, version }]))
  // The first is fast, the second says what differs.
  if (!isDeepStrictEqual(found, wanted)) expect(found, what).toEqual(wanted)
}

for (const kind of STORES) {
  describe(`the past on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it.each(SEEDS)('S0-99 reads every version of a random history, seed %i', { timeout: 120_000 }, async (seed) => {
      const draw = drawing(seed)
      const { cairn, session } = await newRoot(store())
      const state = await play(draw, [cairn, await store().open()], session)
      expect((state.live('l-endless') as Json[]).length).toBeGreaterThan(16 * 16)
      expect(JSON.stringify(state.live('l-endless')).length).toBeGreaterThan(4096)
      const bySeq = await versionsBySeq(cairn, session)
      expect(bySeq.at(-1)).toBe(state.version)
      expect(bySeq.length).toBeGreaterThan(state.version + 2)

      const reader = await store().reopen({ session })
      same(await reader.state.all({}), state.points.at(-1) as string, 'now')
      await each(state.points.keys(), async (version) => {
        const point = state.points[version] as string
        if (version === 0) return
        const answer = await reader.state.all({ at_sequence: version })
        expect(answer.last_sequence).toBe(version)
        same(answer, point, `version ${version}`)
        const entries = Object.entries(JSON.parse(point) as object)
        const [key, wanted] = entries[version % entries.length] ?? []
        if (key === undefined) return
        expect(await reader.state.get({ key, at_sequence: version }), `${key} at version ${version}`).toMatchObject(
          wanted,
        )
      })
      await each(bySeq.keys(), async (seq) => {
        const version = bySeq[seq] as number
        if (version === 0 || (seq % 5 > 0 && version !== bySeq[seq - 1])) return
        const answer = await reader.state.all({ at: seq })
        expect(answer).toMatchObject({ seq, version })
        same(answer, state.points[version] as string, `place ${seq}`)
      })
    })

    it('S0-99 reads each kind of change before, at and after it', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.init({ initial_state: { n: 1, l: [0], o: { a: 1 }, gone: 'x' } })
      await cairn.state.set({ key: 'n', value: 5 })
      await cairn.state.increment({ key: 'n', delta: 2 })
      await cairn.state.append({ key: 'l', items: [1, 2] })
      await cairn.state.merge({ key: 'o', patch: { a: null, b: 2 } })
      await cairn.state.delete({ key: 'gone' })
      await cairn.session.create({ topic: 'between', parent: session })
      await cairn.state.replace({ state: { n: 7, l: [] } })
      const documents = [
        { n: 1, l: [0], o: { a: 1 }, gone: 'x' },
        { n: 5, l: [0], o: { a: 1 }, gone: 'x' },
        { n: 7, l: [0], o: { a: 1 }, gone: 'x' },
        { n: 7, l: [0, 1, 2], o: { a: 1 }, gone: 'x' },
        { n: 7, l: [0, 1, 2], o: { b: 2 }, gone: 'x' },
        { n: 7, l: [0, 1, 2], o: { b: 2 } },
        { n: 7, l: [] },
      ]
      for (const [at, document] of documents.entries()) {
        expect((await cairn.state.all({ at_sequence: at + 1 })).state, `version ${at + 1}`).toEqual(document)
        const seq = at < 6 ? at + 2 : at + 3
        expect((await cairn.state.all({ at: seq })).state, `place ${seq}`).toEqual(document)
      }
      expect(await cairn.state.all({ at: 8 })).toMatchObject({ state: documents[5], version: 6, seq: 8 })
      expect(await cairn.state.get({ key: 'gone', at: 6 })).toMatchObject({ value: 'x', version: 1, seq: 2 })
      expect(await refused(cairn.state.get({ key: 'gone', at: 7 }))).toMatchObject({ code: 'key_not_found' })
    })

    it('refuses points that are still to come, two points at once, and shows none before the first write', async () => {
      const { cairn } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      const inTheLog = { code: 'invalid_input', details: { last: 2 } }
      expect(await refused(cairn.state.all({ at: 3 }))).toMatchObject(inTheLog)
      expect(await refused(cairn.state.get({ key: 'k', at: 3 }))).toMatchObject(inTheLog)
      const inTheState = { code: 'invalid_input', details: { last: 1 } }
      expect(await refused(cairn.state.all({ at_sequence: 2 }))).toMatchObject(inTheState)
      expect(await refused(cairn.state.get({ key: 'k', at_sequence: 2 }))).toMatchObject(inTheState)
      expect(await refused(cairn.state.all({ at: 1, at_sequence: 1 }))).toMatchObject({ code: 'invalid_input' })
      expect(await refused(cairn.state.all({ at: 1 }))).toMatchObject({ code: 'state_not_found' })
      expect(await refused(cairn.state.all({ at: 0 }))).toMatchObject({ code: 'state_not_found' })
      expect(await refused(cairn.state.all({ at_sequence: 0 }))).toMatchObject({ code: 'state_not_found' })
      expect(await refused(cairn.state.get({ key: 'k', at: 1 }))).toMatchObject({ code: 'key_not_found' })
    })

    it('speaks of the past where the past is asked for, and of where it begins', async () => {
      const { cairn } = await newRoot(store())
      expect((await refused(cairn.state.all({ at: 1 }))).message).toBe('This root has no state yet.')
      await cairn.state.set({ key: 'k', value: 1 })
      expect(await refused(cairn.state.all({ at: 0 }))).toMatchObject({
        message: 'This root had no state at 0.',
        hint: 'Its first write is at 2: ask for that or later.',
      })
      expect(await cairn.state.all({ at: 2 })).toMatchObject({ state: { k: 1 } })
      const missing = await refused(cairn.state.get({ key: 'later', at: 1 }))
      expect(missing.message).toBe('There was no key "later" at 1.')
      expect(missing.hint).not.toContain('create')
    })
  })
}
