// A checker that finds nothing shows nothing unless it would have found something: with each fault planted in the program,
// the checkers of these suites tell of it, and without it they are silent.
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/json/value.ts'
import { sandbox as makeSandbox } from '../cli/sandbox.ts'
import { type Call, Model, type Obj } from '../model/model.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { Ledger } from './ledger.ts'
import { observe } from './observing.ts'
import { callOf, idOf } from './writes.ts'

const [sqlite] = STORES.filter(({ name }) => name === 'SQLite')
if (sqlite === undefined) throw new Error('there is no SQLite among the stores')

/** The words of a command, and what it reads from its standard input. */
function commandOf({ op, input }: Call): { words: string[]; stdin: string } {
  const { session, request_id, version, key, ...rest } = input
  const [noun = '', verb = ''] = op.split('.')
  const flags = Object.entries({ session, 'request-id': request_id, version })
    .filter(([, given]) => given !== undefined)
    .flatMap(([name, given]) => [`--${name}`, String(given)])
  if (op === 'state.batch') return { words: [noun, verb, '-', ...flags], stdin: JSON.stringify(rest) }
  const values = Object.values(rest).map((given) => JSON.stringify(given))
  return { words: [noun, verb, String(key), ...values, ...flags], stdin: '' }
}

type Environment = Readonly<Record<string, string>>

describe('a planted fault is found', () => {
  const sandbox = makeSandbox()
  const store = freshStore(sqlite, { damaged: true })

  /** What a command of its own process answered; nothing when it was killed before that. */
  async function command(call: Call, env: Environment): Promise<Obj | undefined> {
    const { words, stdin } = commandOf(call)
    const options = { input: stdin, env: { ...env, CAIRN_HOME: store().home } }
    const { out } = await sandbox.run([...words, '--json'], options)
    if (!out.endsWith('\n')) return undefined
    const { error, message: _message, hint: _hint, ...rest } = JSON.parse(out) as Obj
    return error === undefined ? rest : { refused: error, ...rest }
  }

  /** A root, with the model that knows it. */
  async function begun(): Promise<{ model: Model; session: string }> {
    const model = new Model()
    const input = { topic: 'model' }
    const cairn = await store().open()
    const answer = (await cairn.session.create(input)) as Obj
    await store().close()
    expect(model.problem({ op: 'session.create', input }, answer)).toBeUndefined()
    return { model, session: String(answer.session_id) }
  }

  /** What the checker of the crash suite says after one write of each kind. */
  async function lost(round: number, env: Environment): Promise<string[]> {
    const { session } = await begun()
    const ledger = new Ledger()
    for (const id of [0, 1, 2, 3, 4].map((number) => idOf(round, 0, number))) {
      const { op, input } = callOf(id)
      ledger.asked(id)
      const answer = await command({ op, input: { session, ...input } as Obj }, env)
      expect(answer ?? {}, 'nothing is refused here').not.toHaveProperty('refused')
      if (answer !== undefined) ledger.acked(id)
    }
    return ledger.problems(await observe(store(), session))
  }

  /** What the model says to the answers of these commands, and `verify` to what they left. */
  async function differing(env: Environment, calls: readonly Obj[]): Promise<{ answers: string[]; damages: unknown }> {
    const { model, session } = await begun()
    const answers: string[] = []
    for (const { op, ...input } of calls) {
      const call = { op: String(op), input: { session, ...input } }
      const answer = await command(call, env)
      const problem = model.problem(call, answer ?? { killed: true })
      if (problem) answers.push(problem)
    }
    const { damages } = await observe(store(), session)
    return { answers, damages }
  }

  const set = (value: Json, version?: number): Obj => ({
    op: 'state.set',
    key: 'k',
    value,
    ...(version === undefined ? {} : { version }),
  })
  const nothing = { answers: [], damages: [] }

  it('ack-before-commit: the crash checker misses what was answered', async () => {
    expect(await lost(0, {})).toEqual([])
    expect(await lost(1, { CAIRN_FAILPOINT: 'commit:kill' })).toEqual([])
    const found = await lost(2, { CAIRN_FAULT: 'ack-before-commit', CAIRN_FAILPOINT: 'commit:kill' })
    expect(found).toEqual([
      ...['0', '2', '3'].map((number) => `2.0.${number} was answered and is lost`),
      'loose is 0: 1 answered increments are lost',
      'the item 2.0.1 was answered and is lost',
      'own/0 is undefined, not 2.0.3',
    ])
  })

  it('skip-cas: the model sees both of two writers with the same version succeed', async () => {
    const writers = [set(1), set(2, 1), set(3, 1)]
    expect(await differing({}, writers)).toEqual(nothing)
    const { answers } = await differing({ CAIRN_FAULT: 'skip-cas' }, writers)
    expect(answers).toEqual([expect.stringMatching(/state\.set .*"value":3,"version":1.*\n.*\n.*version_conflict/)])
  })

  it('drop-event: verify finds that the last event is missing', async () => {
    expect(await differing({}, [set(1)])).toEqual(nothing)
    const { damages } = await differing({ CAIRN_FAULT: 'drop-event' }, [set(1)])
    expect(damages).toContainEqual(expect.stringContaining('event 2 is missing'))
  })

  it('drop-event: verify finds the gap once the log goes on', async () => {
    const { session } = await begun()
    const write = { op: 'state.set', input: { session, key: 'k', value: 1 } }
    await command(write, { CAIRN_FAULT: 'drop-event' })
    await command(write, {})
    const { damages } = await observe(store(), session)
    expect(damages).toEqual([
      expect.stringMatching(/event 3 follows 1: there is a gap/),
      expect.stringMatching(/roots counts \d+ bytes/),
    ])
  })

  it('double-apply: the model sees the second effect, and so does verify', async () => {
    const writes = [set(1), { op: 'state.increment', key: 'k', delta: 1 }, { op: 'state.append', key: 'l', items: [1] }]
    expect(await differing({}, writes)).toEqual(nothing)
    const { answers, damages } = await differing({ CAIRN_FAULT: 'double-apply' }, writes)
    expect(answers).toHaveLength(3)
    expect(damages).toContainEqual(expect.stringContaining('state_keys k differs in version'))
  })
})
