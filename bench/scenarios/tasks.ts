import type { Cairn } from '../../src/index.ts'
import { createRoot, openStore } from '../library.ts'
import { interleaved, type Measured, msOfCalls } from '../measure.ts'
import { atMost, type Context, type Scenario } from '../scenario.ts'

const few = 10
const many = 10_000
/** Of a plan as agents make one: some wait for others, and there are waves. */
const waves = 5
const addedAtOnce = 200

async function plannedRoot(cairn: Cairn, count: number): Promise<string> {
  const session = await createRoot(cairn)
  for (let from = 0; from < count; from += addedAtOnce) {
    const length = Math.min(addedAtOnce, count - from)
    await Promise.all(
      Array.from({ length }, (_, at) => {
        const task = from + at + 1
        const after = task > few && task % 7 === 0 ? { after: [String(task - 5)] } : {}
        return cairn.task.add({ session, text: `Task ${task}`, wave: 1 + (task % waves), ...after })
      }),
    )
  }
  return session
}

async function pairOf(context: Context): Promise<{ cairn: Cairn; large: string; small: string }> {
  const cairn = await openStore(context, { home: context.folder() })
  return { cairn, large: await plannedRoot(cairn, context.quick ? 1000 : many), small: await plannedRoot(cairn, few) }
}

async function listing(context: Context): Promise<Measured> {
  const { cairn, large, small } = await pairOf(context)
  const ready = (session: string) => msOfCalls(50, () => cairn.task.ready({ session, limit: 2 }))
  return interleaved(
    context.rounds,
    () => ready(large),
    () => ready(small),
  )
}

/** Claiming the next task and giving it back: as many are ready as before. */
async function claiming(context: Context): Promise<Measured> {
  const { cairn, large, small } = await pairOf(context)
  const claim = (session: string) =>
    msOfCalls(20, async () => {
      const { id } = await cairn.task.claim({ session })
      await cairn.task.reset({ session, task: String(id) })
    })
  return interleaved(
    context.rounds,
    () => claim(large),
    () => claim(small),
  )
}

const against = `the same with ${few} tasks`

export const tasks: readonly Scenario[] = [
  {
    name: 'task-ready',
    about: `the tasks that can be begun, of ${many}`,
    against,
    store: 'sqlite',
    unit: 'ms',
    target: atMost(3),
    run: listing,
  },
  {
    name: 'task-claim',
    about: `claiming the next task of ${many} and giving it back`,
    against,
    store: 'sqlite',
    unit: 'ms',
    target: atMost(3),
    run: claiming,
  },
]
