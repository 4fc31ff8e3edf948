import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject, mirrorOf } from './folders.ts'

const [SQLite] = STORES
const store = freshStore(SQLite as (typeof STORES)[number])
const project = freshProject()

it('an operation of the journal is answered when the folder has it, and says so when that is late', async () => {
  const cairn = await store().open()
  const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
  const note = (text: string) => cairn.journal.note({ session, text, request_id: text })
  // On a busy machine the folder may be late: a later answer says that it is not any more.
  await until(() => note('one'))
  expect(mirrorOf(dir as string).at(-1)).toMatchObject({ stream: 'journal', data: { text: 'one' } })
  rmSync(dir as string, { recursive: true })
  expect(await note('two')).toMatchObject({ folder: 'late' })
  // What was remembered of it is not late: that is said of each moment anew.
  await cairn.store.doctor({ repair: true })
  await until(() => note('two'))
  const { session_id: other } = await cairn.session.create({ topic: 'none' })
  expect(await cairn.journal.note({ session: other, text: 'x' })).not.toHaveProperty('folder')
})

async function until(ask: () => Promise<object>): Promise<void> {
  while ('folder' in (await ask())) await new Promise((resolve) => setTimeout(resolve, 10))
}
