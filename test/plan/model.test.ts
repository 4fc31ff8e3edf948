// Many random changes of a plan by several workers, each answered as a naive plan in memory says, on both stores.
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/open.ts'
import { drawing } from '../setup/random-steps.ts'
import { newChild, newRoot } from '../setup/roots.ts'
import { seedOf } from '../setup/seed.ts'
import { freshStore, STORES } from '../setup/stores.ts'

const steps = process.env.CAIRN_LONG ? 1500 : 150

interface Modelled {
  readonly after: readonly number[]
  readonly wave: number
  status: 'open' | 'claimed' | 'blocked' | 'done'
  by?: number
}

/** A plan that looks through all of its tasks for every answer. */
class NaivePlan {
  readonly tasks: Modelled[] = []

  of(no: number): Modelled | undefined {
    return this.tasks[no - 1]
  }

  isReady({ status, after, wave }: Modelled): boolean {
    const isFree = status === 'open' && after.every((no) => this.of(no)?.status === 'done')
    return isFree && this.tasks.every((other) => other.wave >= wave || other.status === 'done')
  }

  ready(): number[] {
    const all = this.tasks.map((task, at) => ({ task, no: at + 1 }))
    return all
      .filter(({ task }) => this.isReady(task))
      .sort((a, b) => a.task.wave - b.task.wave || a.no - b.no)
      .map(({ no }) => no)
  }
}

/** What a claim says where no task is ready: once all are done it is an answer without a task. */
const noneReady = ({ tasks }: NaivePlan) =>
  tasks.length > 0 && tasks.every(({ status }) => status === 'done') ? 'null' : 'not_found'

const idOf = (no: number) => `task-${String(no).padStart(3, '0')}`

/** What was answered, or the code of the refusal. */
async function outcome(asking: Promise<{ readonly [name: string]: unknown }>): Promise<string> {
  return asking.then(
    ({ id }) => String(id),
    (refusal: { code?: string }) => refusal.code ?? 'a bug',
  )
}

type Step = (
  plan: NaivePlan,
  cairn: Cairn,
  workers: readonly string[],
  draw: (below: number) => number,
) => Promise<void>

const add: Step = async (plan, cairn, _workers, draw) => {
  const known = plan.tasks.length
  const after = [...new Set(Array.from({ length: known === 0 ? 0 : draw(3) }, () => 1 + draw(known)))]
  const wave = 1 + draw(3)
  plan.tasks.push({ after, wave, status: 'open' })
  expect(await outcome(cairn.task.add({ text: 'x', wave, after: after.map(String) }))).toBe(idOf(known + 1))
}

const claimNext: Step = async (plan, cairn, workers, draw) => {
  const by = draw(workers.length)
  const [first] = plan.ready()
  expect(await outcome(cairn.task.claim({ session: workers[by] as string }))).toBe(
    first === undefined ? noneReady(plan) : idOf(first),
  )
  if (first !== undefined) Object.assign(plan.of(first) as Modelled, { status: 'claimed', by })
}

const claimNamed: Step = async (plan, cairn, workers, draw) => {
  const [by, no] = [draw(workers.length), 1 + draw(plan.tasks.length + 1)]
  const task = plan.of(no)
  const said = await outcome(cairn.task.claim({ session: workers[by] as string, task: String(no) }))
  if (task === undefined) expect(said).toBe('not_found')
  else if (task.status === 'claimed') expect(said).toBe('held_by_other')
  else if (!plan.isReady(task)) expect(said).toBe('illegal_transition')
  else {
    expect(said).toBe(idOf(no))
    Object.assign(task, { status: 'claimed', by })
  }
}

const done: Step = async (plan, cairn, workers, draw) => {
  const [by, no] = [draw(workers.length), 1 + draw(plan.tasks.length + 1)]
  const task = plan.of(no)
  const said = await outcome(cairn.task.done({ session: workers[by] as string, task: String(no) }))
  if (task === undefined) expect(said).toBe('not_found')
  else if (task.status !== 'claimed') expect(said).toBe('illegal_transition')
  else if (task.by !== by) expect(said).toBe('held_by_other')
  else {
    expect(said).toBe(idOf(no))
    task.status = 'done'
  }
}

const block: Step = async (plan, cairn, _workers, draw) => {
  const no = 1 + draw(plan.tasks.length + 1)
  const task = plan.of(no)
  const said = await outcome(cairn.task.block({ task: String(no) }))
  if (task === undefined) expect(said).toBe('not_found')
  else if (task.status === 'done') expect(said).toBe('illegal_transition')
  else {
    expect(said).toBe(idOf(no))
    task.status = 'blocked'
  }
}

const reset: Step = async (plan, cairn, _workers, draw) => {
  const no = 1 + draw(plan.tasks.length + 1)
  const task = plan.of(no)
  const said = await outcome(cairn.task.reset({ task: String(no) }))
  if (task === undefined) expect(said).toBe('not_found')
  else if (task.status === 'open') expect(said).toBe('illegal_transition')
  else {
    expect(said).toBe(idOf(no))
    task.status = 'open'
  }
}

const drawn: readonly Step[] = [
  add,
  add,
  claimNext,
  claimNext,
  claimNext,
  claimNamed,
  done,
  done,
  done,
  done,
  block,
  reset,
]

async function expectSame(plan: NaivePlan, cairn: Cairn, at?: number): Promise<void> {
  const when = at === undefined ? {} : { at }
  const { tasks } = await cairn.task.list({ limit: 1000, ...when })
  expect(tasks.map(({ status }) => status)).toEqual(plan.tasks.map(({ status }) => status))
  const ready = await cairn.task.ready({ limit: 1000, ...when })
  expect(ready.tasks.map(({ id }) => id)).toEqual(plan.ready().map(idOf))
  const { tasks: counts } = await cairn.plan.show(when)
  const count = (status: string) => plan.tasks.filter((task) => task.status === status).length
  expect(counts).toEqual({
    tasks: plan.tasks.length,
    open: count('open'),
    claimed: count('claimed'),
    blocked: count('blocked'),
    done: count('done'),
  })
}

for (const kind of STORES) {
  describe(`random plans on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('S2-24 S2-25 C32 answer as a naive plan does, in the present, in the past, in a fork and after reopening', async () => {
      const { cairn, session } = await newRoot(store())
      const workers = [await newChild(cairn, session), await newChild(cairn, session)]
      const draw = drawing(seedOf(20_261_118))
      const plan = new NaivePlan()
      let then: { at: number; plan: NaivePlan } | undefined
      for (let step = 0; step < steps; step++) {
        await (drawn[draw(drawn.length)] as Step)(plan, cairn, workers, draw)
        if (step % 10 === 0) await expectSame(plan, cairn)
        if (step === Math.floor(steps / 2)) {
          const copy = Object.assign(new NaivePlan(), { tasks: plan.tasks.map((task) => ({ ...task })) })
          then = { at: (await cairn.log.list({ limit: 1 })).last_seq, plan: copy }
        }
      }
      const { at, plan: before } = then as { at: number; plan: NaivePlan }
      await expectSame(before, cairn, at)
      const { session_id: fork } = await cairn.session.fork({ session, at })
      await expectSame(before, await store().open({ session: String(fork) }))
      await expectSame(plan, await store().reopen({ session }))
    })
  })
}
