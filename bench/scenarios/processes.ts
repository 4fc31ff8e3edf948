import type { Contended } from '../contender.ts'
import { newRoot } from '../library.ts'
import { interleaved, type Measured, spreadOf } from '../measure.ts'
import { bundled } from '../process.ts'
import { atLeast, type Context, type Scenario } from '../scenario.ts'
import { contend, rateOf } from './contending.ts'

const processes = 8

async function begin(context: Context) {
  const program = await bundled(context, 'contender')
  const home = context.folder()
  const opened = await newRoot(context, { home })
  const ms = context.quick ? 1000 : 3000
  return { ms, rounds: context.quick ? 2 : 3, run: (count: number) => contend(program, opened, home, count, ms) }
}

async function rate(context: Context): Promise<Measured> {
  const { ms, rounds, run } = await begin(context)
  return interleaved(
    rounds,
    async () => rateOf(await run(processes), ms),
    async () => rateOf(await run(1), ms),
  )
}

/** The same figure of each round of all processes, held against what it should be there. */
async function figures(context: Context, of: (all: Contended[]) => { ours: number; bare: number }): Promise<Measured> {
  const { rounds, run } = await begin(context)
  const found: { ours: number; bare: number }[] = []
  for (let round = 0; round < rounds; round++) found.push(of(await run(processes)))
  return {
    ours: spreadOf(found.map(({ ours }) => ours)),
    bare: spreadOf(found.map(({ bare }) => bare)),
    ratio: spreadOf(found.map(({ ours, bare }) => ours / bare)),
  }
}

const shared = { store: 'sqlite' } as const
const about = `${processes} processes increment one key of one file`

export const manyProcesses: readonly Scenario[] = [
  {
    ...shared,
    name: 'processes-rate',
    about: `${about}, all together`,
    against: 'one process alone',
    unit: '/s',
    target: atLeast(0.4),
    run: rate,
  },
  {
    ...shared,
    name: 'processes-share',
    about: `${about}: what the slowest of them got`,
    against: 'a fair share',
    unit: '/s',
    target: atLeast(0.5),
    run: (context) =>
      figures(context, (all) => {
        const done = all.map((each) => each.done)
        return { ours: Math.min(...done), bare: done.reduce((sum, each) => sum + each, 0) / done.length }
      }),
  },
  {
    ...shared,
    name: 'processes-wait',
    about: `${about}: the longest wait of all`,
    against: 'the longest that may be',
    unit: 'ms',
    target: { of: 'ours', is: 'at most', limit: 500 },
    run: (context) => figures(context, (all) => ({ ours: Math.max(...all.map((each) => each.worstMs)), bare: 500 })),
  },
]
