import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { DatabaseSync } from '@photostructure/sqlite'
import { hintMs } from '../../src/store/engine.ts'
import { bigStore } from '../big-store.ts'
import { newRoot, openStore, storePath } from '../library.ts'
import { interleaved, type Measured, spreadOf } from '../measure.ts'
import { bundled } from '../process.ts'
import { atLeast, atMost, type Context, type Scenario } from '../scenario.ts'

const caughtUp = 100_000

async function catchUp(context: Context): Promise<Measured> {
  const { home, session, events } = await bigStore(context)
  const wanted = Math.min(caughtUp, events)
  const cairn = await openStore(context, { home })
  const bare = new DatabaseSync(storePath(home))
  context.atEnd(() => bare.close())
  const select = bare.prepare(`SELECT * FROM events
    WHERE root = (SELECT root FROM roots WHERE id = ?1) AND seq <= ?2 ORDER BY seq`)
  return interleaved(
    context.rounds,
    async () => {
      const start = performance.now()
      for await (const { seq } of cairn.follow({ session, since: 0 })) if (seq === wanted) break
      return (wanted * 1000) / (performance.now() - start)
    },
    () => {
      const start = performance.now()
      let seen = 0
      for (const _row of select.iterate(session, wanted)) seen += 1
      return (seen * 1000) / (performance.now() - start)
    },
  )
}

async function across(context: Context): Promise<Measured> {
  const program = await bundled(context, 'peer')
  const home = context.folder()
  const { cairn, session } = await newRoot(context, { home })
  const times = context.quick ? 20 : 60
  const writing = promisify(execFile)(process.execPath, [program, home, session, String(times)])
  const late: number[] = []
  for await (const event of cairn.follow({ session, type: 'set' })) {
    late.push(performance.timeOrigin + performance.now() - (event.data as { value: number }).value)
    if (late.length === times) break
  }
  await writing
  return { ours: spreadOf(late), bare: spreadOf([hintMs]), ratio: spreadOf(late.map((ms) => ms / hintMs)) }
}

export const feed: readonly Scenario[] = [
  {
    name: 'feed-catch-up',
    about: `following the log over its first ${caughtUp.toLocaleString('en').replaceAll(',', ' ')} events`,
    against: 'a bare SELECT over the same rows',
    store: 'sqlite',
    unit: '/s',
    target: atLeast(0.3),
    run: catchUp,
  },
  {
    name: 'feed-across',
    about: 'from the start of a write in one process until another sees it',
    against: 'how often a process looks',
    store: 'sqlite',
    unit: 'ms',
    target: atMost(2),
    run: across,
  },
]
