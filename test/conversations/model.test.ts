// Random conversations, rewound, compacted, copied and forked, are what a model says that copies everything.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { Root, type Said, Talk } from './talk-model.ts'

const isLong = process.env.CAIRN_LONG !== undefined

type Verb =
  | 'user'
  | 'assistant'
  | 'result'
  | 'rewind'
  | 'overwrite'
  | 'compact'
  | 'copy'
  | 'beside'
  | 'fork'
  | 'again'
  | 'often'
const verbs: readonly Verb[] = [
  'user',
  'assistant',
  'result',
  'result',
  'rewind',
  'overwrite',
  'compact',
  'copy',
  'beside',
  'fork',
  'again',
  'often',
]
const step = fc.record({ verb: fc.constantFrom(...verbs), root: fc.nat(9), talk: fc.nat(9), number: fc.nat(999) })
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const rootsMax = 5
/** More rewinds than one event says what they left visible of. */
const oftenRewound = 70
const oftenMax = 2

/** One run: the roots there are, and what was said under which id. */
class Run {
  readonly roots: Root[] = []
  readonly cairn: Cairn
  #named = 0
  #often = 0

  constructor(cairn: Cairn) {
    this.cairn = cairn
  }

  async begin(session: string): Promise<void> {
    const child = await newChild(this.cairn, session, 'child')
    this.roots.push(new Root([session, child], [new Talk(), new Talk()], 2))
  }

  async take({ verb, root: which, talk: of, number }: Step): Promise<void> {
    const root = this.roots[which % this.roots.length] as Root
    const no = of % root.talks.length
    const talk = root.talks[no] as Talk
    const session = root.ids[no] as string
    const point = number % (talk.last + 2)
    if (verb === 'user') await this.#user(root, talk, session, `m${this.#named++}`)
    if (verb === 'assistant') await this.#assistant(root, talk, session, number % 3)
    if (verb === 'result') await this.#result(root, talk, session, number)
    if (verb === 'rewind' || verb === 'overwrite') await this.#rewind(root, talk, session, point, verb)
    if (verb === 'compact') await this.#compact(root, talk, session, point, number % 5)
    if (verb === 'copy') await this.#copy(root, no, session, point)
    if (verb === 'beside') await this.#beside(root, talk, session, point)
    if (verb === 'fork') await this.#fork(root, 1 + (number % root.seq))
    if (verb === 'often' && this.#often++ < oftenMax) await this.#rewoundOften(root, talk, session, number)
    if (verb === 'again') await this.#again(root, talk, session)
  }

  async #user(root: Root, talk: Talk, session: string, text: string): Promise<void> {
    const answer = await this.cairn.context.append({ session, role: 'user', content: text, id: text })
    talk.add({ type: 'user_message', text, seq: ++root.seq })
    expect(answer).toMatchObject({ sequence_number: talk.last, seq: root.seq })
  }

  async #assistant(root: Root, talk: Talk, session: string, count: number): Promise<void> {
    const calls = Array.from({ length: count }, () => `call${this.#named++}`)
    const content = [
      { type: 'text', text: 'hm' },
      ...calls.map((id) => ({ type: 'tool_use', id, name: 't', input: {} })),
    ]
    const answer = await this.cairn.context.append({ session, role: 'assistant', content })
    const { version } = talk.add({ type: 'assistant_message', calls, seq: ++root.seq })
    for (const id of calls) talk.add({ type: 'tool_call', text: id, of: version, seq: ++root.seq })
    expect(answer).toMatchObject({ sequence_number: talk.last, seq: root.seq })
  }

  async #result(root: Root, talk: Talk, session: string, number: number): Promise<void> {
    const open = talk.openCalls()
    const call = open[number % Math.max(1, open.length)]
    const asked = { session, role: 'tool' as const, tool_call_id: call?.id ?? 'nobody', content: 'done' }
    if (call === undefined) {
      expect((await refused(this.cairn.context.append(asked))).code).toBe('invalid_input')
      return
    }
    await this.cairn.context.append(asked)
    talk.add({ type: 'tool_result', text: call.id, of: call.of, seq: ++root.seq })
    expect(await this.cairn.context.append(asked)).toMatchObject({ sequence_number: talk.last, repeated: true })
  }

  async #rewind(root: Root, talk: Talk, session: string, point: number, verb: 'rewind' | 'overwrite'): Promise<void> {
    const asking = this.cairn.context.overwrite(
      verb === 'rewind' ? { session, to_point: point } : { session, from_point: point },
    )
    if (!talk.mayCut(point)) {
      await this.#badCut(talk, point, asking)
      return
    }
    const { hidden, last_sequence } = await asking
    const after = talk.visible[point] as readonly Said[]
    expect(hidden).toBe(talk.now.filter((each) => !after.includes(each)).length)
    if (hidden > 0 || point !== talk.last) talk.add({ type: 'context_rewound', seq: ++root.seq }, after)
    expect(last_sequence).toBe(talk.last)
  }

  /** Of every message but the first something is taken back, now and then more. */
  async #rewoundOften(root: Root, talk: Talk, session: string, number: number): Promise<void> {
    for (let at = 0; at < oftenRewound; at++) {
      await this.#user(root, talk, session, `m${this.#named++}`)
      const stays = talk.last
      await this.#user(root, talk, session, `m${this.#named++}`)
      await this.#rewind(root, talk, session, at % 23 === number % 23 ? stays - 1 : stays, 'rewind')
    }
  }

  async #badCut(talk: Talk, point: number, asking: Promise<unknown>): Promise<void> {
    const { code, details } = await refused(asking)
    expect(code, `${point} of ${talk.last}`).toBe('bad_cut')
    for (const nearest of (details as { nearest: number[] }).nearest) expect(talk.mayCut(nearest)).toBe(true)
  }

  async #compact(root: Root, talk: Talk, session: string, upto: number, length: number): Promise<void> {
    const from = Math.max(1, upto - length)
    const asking = this.cairn.context.compact({ session, from, upto, summary: 'in short' })
    const gone = talk.now.filter(
      (each) => talk.said[each.version - 1] === each && each.version >= from && each.version <= upto,
    )
    if (upto > talk.last || from > upto || !talk.mayCut(from - 1) || !talk.mayCut(upto) || gone.length === 0) {
      expect((await refused(asking)).code).toMatch(/bad_cut|invalid_input/)
      return
    }
    await asking
    const place = talk.now.indexOf(gone[0] as Said)
    const left = talk.now.filter((each) => !gone.includes(each))
    const made: Said = { type: 'context_compacted', version: talk.last + 1, seq: ++root.seq }
    talk.said.push(made)
    talk.visible.push([...left.slice(0, place), made, ...left.slice(place)])
  }

  /** The whole root, as it was at the point. */
  async #copy(root: Root, no: number, session: string, point: number): Promise<void> {
    if (this.roots.length >= rootsMax) return
    const talk = root.talks[no] as Talk
    const asking = this.cairn.context.copy({ session, to_point: point })
    if (!talk.mayCut(point)) {
      await this.#badCut(talk, point, asking)
      return
    }
    const answer = await asking
    expect(answer.copied).toBe(talk.visible[point]?.length)
    const first = talk.said[0]
    const at = point > 0 ? (talk.said[point - 1] as Said).seq : first === undefined ? root.seq : first.seq - 1
    const copy = await this.#forked(root, answer.root_session_id, at)
    if (no < copy.ids.length) expect(answer.session_id).toBe(copy.ids[no])
  }

  async #fork(root: Root, at: number): Promise<void> {
    if (this.roots.length >= rootsMax) return
    const { session_id: id } = await this.cairn.session.fork({ session: root.ids[0] as string, at })
    await this.#forked(root, id, at)
  }

  async #forked(root: Root, id: string, at: number): Promise<Root> {
    const { tables } = await this.cairn.log.rows({ session: id, part: 'sessions' })
    const sessions = tables.sessions as unknown as { no: number; id: string }[]
    const ids = [...sessions].sort((a, b) => a.no - b.no).map((row) => row.id)
    const copy = new Root(
      ids,
      root.talks.slice(0, ids.length).map((talk) => talk.upTo(at)),
      at,
    )
    this.roots.push(copy)
    return copy
  }

  /** The messages alone, into another session of the same root. */
  async #beside(root: Root, talk: Talk, session: string, point: number): Promise<void> {
    const asking = this.cairn.context.copy({ session, to_point: point, context_only: true })
    if (!talk.mayCut(point)) {
      await this.#badCut(talk, point, asking)
      return
    }
    const { session_id } = await asking
    const copy = new Talk()
    copy.add({ type: 'context_copied', seq: root.seq + 2 }, talk.visible[point])
    root.seq += 2
    root.ids.push(session_id)
    root.talks.push(copy)
  }

  /** The last message with an id, once more: nothing happens, unless it is hidden. */
  async #again(root: Root, talk: Talk, session: string): Promise<void> {
    const said = talk.said.findLast(({ type }) => type === 'user_message')
    if (said?.text === undefined) return
    const asking = this.cairn.context.append({ session, role: 'user', content: said.text, id: said.text })
    if (talk.now.includes(said)) expect(await asking).toMatchObject({ sequence_number: said.version, repeated: true })
    else expect((await refused(asking)).code).toBe('already_exists')
    const other = await refused(this.cairn.context.append({ session, role: 'user', content: 'other', id: said.text }))
    expect(other.code).toBe('idempotency_mismatch')
    expect((await this.cairn.log.list({ session, limit: 1 })).last_seq).toBe(root.seq)
  }

  async check(): Promise<void> {
    for (const root of this.roots) {
      for (const [no, talk] of root.talks.entries()) {
        const session = root.ids[no] as string
        for (const point of new Set([0, Math.floor(talk.last / 2), talk.last])) {
          const { messages } = await this.cairn.context.show({ session, point, format: 'raw' })
          const shown = (messages as { sequence_number: number; seq: number; type: string }[]).map(seen)
          expect(shown, `session ${no} at ${point}`).toEqual((talk.visible[point] ?? []).map(said))
        }
        const whole = await this.cairn.context.show({ session, format: 'raw', all: true })
        expect((whole.messages as unknown[]).length).toBe(talk.last)
        await expectWhole(this.cairn, session)
      }
    }
  }
}

function seen({ sequence_number, seq, type }: { sequence_number: number; seq: number; type: string }): string {
  return `${seq} ${sequence_number} ${type}`
}

function said({ version, seq, type }: Said): string {
  return `${seq} ${version} ${type}`
}

/** Whatever was done, a model could be given it: each call has one result, directly behind its message. */
async function expectWhole(cairn: Cairn, session: string): Promise<void> {
  const { messages } = await cairn.context.show({ session, format: 'openai' })
  const waiting: string[] = []
  for (const message of messages as { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[]) {
    if (message.role === 'tool')
      expect(waiting.splice(waiting.indexOf(message.tool_call_id as string), 1)).toEqual([message.tool_call_id])
    else expect(waiting).toEqual([])
    waiting.push(...(message.tool_calls ?? []).map(({ id }) => id))
  }
  expect(waiting).toEqual([])
}

async function play(store: TestStore, steps: readonly Step[]): Promise<void> {
  const { cairn, session } = await newRoot(store)
  const run = new Run(cairn)
  await run.begin(session)
  for (const each of steps) await run.take(each)
  await run.check()
}

for (const kind of STORES) {
  describe(`conversations on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U36 U37 U39 C16 S3-4 S3-6 are what a model says that copies everything', async () => {
      const runs = { numRuns: isLong ? 300 : 12, endOnFailure: true }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) =>
          play(store(), steps),
        ),
        runs,
      )
    })
  })
}
