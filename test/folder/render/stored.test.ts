// Files of a root in a store: rendered, edited, taken in by ordinary operations, and rendered again.
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/domain/log/refusal.ts'
import { parse, type RowsToRender, render, rowsToRender } from '../../../src/folder/render/index.ts'
import type { Cairn } from '../../../src/open.ts'
import { newRoot, rootNumber } from '../../setup/roots.ts'
import { engineOf } from '../../setup/store-engine.ts'
import { freshStore, STORES, type TestStore } from '../../setup/stores.ts'

async function rowsIn(store: TestStore, session: string): Promise<RowsToRender> {
  const engine = await engineOf(store)
  try {
    const rows = await engine.read(rowsToRender(await rootNumber(store, session), session, 'replica-1'), true)
    return rows ?? expect.fail('there is no such root')
  } finally {
    await engine.close()
  }
}

/** What is edited in a file, done as whoever reads it would. */
async function edit(store: TestStore, cairn: Cairn, session: string, path: string, change: (text: string) => string) {
  const rows = await rowsIn(store, session)
  const text = (await render(rows, () => undefined)).find((each) => each.path === path)?.text ?? expect.fail(path)
  const commands = await parse(path, change(text), rows)
  if (commands instanceof Refusal) throw new Error(commands.message)
  for (const { operation, input } of commands) {
    const [noun = '', verb = ''] = operation.split('.')
    const methods = cairn as unknown as Record<string, Record<string, (input: object) => Promise<object>>>
    await methods[noun]?.[verb]?.({ session, ...input })
  }
}

for (const kind of STORES) {
  describe(`files of a root on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('C1 C17 C18 edits of plan.json, STATE.md and spec.md are operations as any others', async () => {
      const { cairn, session } = await newRoot(store())
      for (const phase of ['spec', 'plan']) await cairn.phase.enter({ phase })
      await cairn.task.add({ text: 'Write the lexer' })
      await edit(store(), cairn, session, 'plan.json', (text) => {
        const plan = JSON.parse(text) as { tasks: object[]; checkpoints: object[] }
        plan.tasks.push({ id: 'parse', text: 'Write the parser', after: ['task-001'], phase: 'build' })
        plan.checkpoints.push({ text: 'Both' })
        Object.assign(plan.tasks[0] ?? {}, { status: 'done' })
        return JSON.stringify(plan)
      })
      expect((await cairn.task.list({})).tasks).toMatchObject([
        { status: 'done' },
        { text: 'Write the parser', after: ['task-001'], ready: true },
      ])
      await edit(store(), cairn, session, 'STATE.md', (text) => text.replace('next_action: null', 'next_action: Go on'))
      await edit(store(), cairn, session, 'spec.md', (text) =>
        text.replace('## Key Decisions', '- [ ] How fast?\n\n## Key Decisions'),
      )
      const files = new Map(
        (await render(await rowsIn(store(), session), () => undefined)).map(({ path, text }) => [path, text]),
      )
      expect(files.get('STATE.md')).toContain('next_action: Go on')
      expect(files.get('STATE.md')).toContain('- How fast?')
      expect(files.get('spec.md')).toContain('- [ ] How fast? <!-- question-001 -->')
      expect(files.get('plan.md')).toContain('- [x] task-001 Write the lexer')
    })
  })
}
