import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { bigStore } from '../big-store.ts'
import { openStore, storePath } from '../library.ts'
import { interleaved, type Measured, msOfCalls } from '../measure.ts'
import { bundled } from '../process.ts'
import { atLeast, atMost, type Context, type Scenario } from '../scenario.ts'
import { contend, rateOf } from './contending.ts'

async function doctor(context: Context): Promise<Measured> {
  const { home } = await bigStore(context)
  const cairn = await openStore(context, { home })
  const bare = new DatabaseSync(storePath(home))
  context.atEnd(() => bare.close())
  const scan = bare.prepare('SELECT * FROM events')
  const examine = async () => {
    const { ok, checks } = await cairn.store.doctor({})
    if (!ok) throw new Error(JSON.stringify(checks))
  }
  return interleaved(
    context.quick ? 3 : 2,
    () => msOfCalls(1, examine),
    () => msOfCalls(1, async () => Array.from(scan.iterate(), () => 0)),
  )
}

async function backupUnderLoad(context: Context): Promise<Measured> {
  const program = await bundled(context, 'contender')
  const { home, session } = await bigStore(context)
  const cairn = await openStore(context, { home })
  const folder = context.folder()
  const ms = context.quick ? 1000 : 3000
  let made = 0
  const write = async () => rateOf(await contend(program, { cairn, session }, home, 1, ms), ms)
  return interleaved(
    context.quick ? 2 : 3,
    async () => {
      let writing = true
      const written = write().finally(() => {
        writing = false
      })
      while (writing) await cairn.store.backup({ file: join(folder, `${made++}.db`) })
      return written
    },
    write,
  )
}

export const upkeep: readonly Scenario[] = [
  {
    name: 'doctor',
    about: 'checking everything in a store of 1 000 000 events',
    against: 'a bare scan of its events',
    store: 'sqlite',
    unit: 'ms',
    target: atMost(4),
    run: doctor,
  },
  {
    name: 'backup-under-load',
    about: 'increments of one process while another makes backups of 1 000 000 events, one after another',
    against: 'the same without backups',
    store: 'sqlite',
    unit: '/s',
    target: atLeast(0.5),
    run: backupUnderLoad,
  },
]
