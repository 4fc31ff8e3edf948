// Runs lists of commands against Cairn and the model at once.
import fc from 'fast-check'
import { expect } from 'vitest'
import { seedOf } from '../setup/seed.ts'
import type { StoreKind, TestStore } from '../setup/stores.ts'
import { hourMs, lastLook, lastRestores, type Run, type Step } from './commands.ts'
import type { Histogram } from './histogram.ts'
import { type Call, Model, type Obj, type Root } from './model.ts'
import { type Opening, Real } from './real.ts'
import { begun } from './values.ts'

/** How many lists, and how many commands each at most. */
export interface Extent {
  readonly runs: number
  readonly commands: number
  /** Lists of one command each that are run in any case. */
  readonly surely?: readonly Step[]
  /** What is also done with the store after each list: nobody asks its roots any more. */
  readonly after?: (store: TestStore) => Promise<void>
}

export class Runner {
  readonly #histogram: Histogram
  readonly #after: Extent['after']
  #real: Real
  #run: Run = newRun('none')
  #runs = 0

  private constructor(real: Real, histogram: Histogram, after: Extent['after']) {
    this.#real = real
    this.#histogram = histogram
    this.#after = after
  }

  static async run(
    kind: StoreKind,
    steps: fc.Arbitrary<Step>,
    extent: Extent,
    histogram: Histogram,
    opening?: Opening,
  ): Promise<void> {
    const runner = new Runner(await Real.open(kind, opening), histogram, extent.after)
    const lists = fc.commands([steps.map((step) => new Command(step))], { maxCommands: extent.commands, size: 'max' })
    const examples = (extent.surely ?? []).map((step): [Command[]] => [[new Command(step)]])
    try {
      await fc.assert(
        fc.asyncProperty(lists, (list) => runner.#perform(list)),
        { numRuns: extent.runs + examples.length, examples, seed: seedOf(1) },
      )
      expect(await runner.#real.verify('all')).toEqual([])
    } finally {
      await runner.#real.remove()
    }
  }

  async #perform(list: Iterable<fc.AsyncCommand<Model, Runner>>): Promise<void> {
    this.#runs += 1
    this.#run = newRun(`run ${this.#runs}`)
    let failed = true
    try {
      const first = this.#runs % 2 === 0 ? { initial_state: begun } : {}
      await this.#ask([{ op: 'session.create', input: { topic: 'model', ...first } }])
      await fc.asyncModelRun(() => ({ model: this.#run.model, real: this }), list)
      const [root] = this.#run.model.roots as [Root]
      for (const call of lastRestores(root)) await this.#ask([call])
      // Whatever was to go after a time has gone now, and nobody has noticed.
      if (this.#real.pass(2 * hourMs)) this.#run.model.pass(2 * hourMs)
      const forks = this.#run.model.roots.filter((each) => each !== root && each.origin !== undefined)
      for (const each of [root, ...forks.slice(-1)]) for (const call of lastLook(each)) await this.#ask([call])
      for (const each of this.#run.model.roots) await this.#compareLog(each)
      expect(await this.#real.verify('moved')).toEqual([])
      await this.#after?.(this.#real.store)
      failed = false
    } finally {
      this.#real = await this.#real.next(failed)
    }
  }

  async step({ name, plan, act }: Step): Promise<void> {
    if (act !== undefined) {
      if (await act(this.#run, this.#real)) this.#histogram.command(name)
      return
    }
    const planned = plan(this.#run)
    if (planned === undefined) return
    this.#histogram.command(name)
    for (const calls of this.#real.isInOrder ? planned : planned.flat().map((call) => [call])) {
      if (calls.length === 1) await this.#ask(calls)
      else await this.#askTogether(calls)
    }
  }

  /** Whoever asks at once is answered as if they had asked in this order. */
  async #ask(calls: readonly Call[]): Promise<void> {
    const answers = await Promise.all(calls.map((call) => this.#real.ask(call)))
    for (const [at, call] of calls.entries()) this.#compare(call, answers[at] as Obj)
  }

  /** Reads in the same tick as writes: they see what some of the calls have made, and never a part of one. */
  async #askTogether(calls: readonly Call[]): Promise<void> {
    const { model } = this.#run
    await this.#real.meet(model.roots.flatMap(({ sessions }) => sessions.map(({ id }) => id)))
    const root = model.roots[0] as Root
    const read = { op: 'state.all', input: { session: root.id } }
    // What has expired is in the log from here on: else whichever read comes first would put it there.
    await this.#ask([read])
    const asked = calls.flatMap((call, at) => (at === 0 || at === calls.length >> 1 ? [call, read] : [call]))
    const answers = await Promise.all(asked.map((call) => this.#real.ask(call)))
    const seen: Obj[] = []
    const boundaries = new Set([root.log.length])
    const before = root.started
    for (const [at, call] of asked.entries()) {
      if (call === read) seen.push(answers[at] as Obj)
      else this.#compare(call, answers[at] as Obj)
      boundaries.add(root.log.length)
    }
    for (const answer of seen) {
      if (answer.refused === 'state_not_found' && before === 0) continue
      expect(boundaries, `a read saw a part of a call at ${answer.seq}`).toContain(answer.seq)
      this.#compare({ op: 'state.all', input: { session: root.id, seen_at: answer.seq as number } }, answer)
    }
  }

  #compare(call: Call, { root_disk: disk, ...answer }: Obj): void {
    // What a root takes up on disk is proved by every store on its own.
    if (disk !== undefined) expect(disk).toEqual({ bytes: expect.any(Number), limit: expect.any(Number) })
    const problem = this.#run.model.problem(call, answer)
    if (problem) throw new Error(problem)
    this.#histogram.call(this.#run.model, call, answer)
  }

  async #compareLog(root: Root): Promise<void> {
    for (let since = 0; since < root.log.length; since += 500) {
      await this.#ask([{ op: 'log.list', input: { session: root.id, since, limit: 500 } }])
    }
  }
}

function newRun(name: string): Run {
  return { model: new Model(), requests: [], name }
}

class Command implements fc.AsyncCommand<Model, Runner> {
  readonly #step: Step

  constructor(step: Step) {
    this.#step = step
  }

  check(): boolean {
    return true
  }

  run(_model: Model, runner: Runner): Promise<void> {
    return runner.step(this.#step)
  }

  toString(): string {
    return this.#step.shown
  }
}
