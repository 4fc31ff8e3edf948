import { chmodSync, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { beforeAll, expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'

const cairn = sandbox()
let root = ''

beforeAll(async () => {
  root = await cairn.session('Upkeep')
  await cairn.answer(['state', 'set', 'k', '"v"'])
  await cairn.answer(['state', 'increment', 'n', '--request-id', 'one'])
})

function sql(text: string): void {
  const db = new DatabaseSync(join(cairn.home, 'cairn.db'), { timeout: 5000 })
  db.exec(text)
  db.close()
}

const check = { name: expect.any(String), ok: true, detail: expect.any(String) }

it('doctor answers with its checks; exit 1 when one fails, 0 once it was repaired', async () => {
  const fine = await cairn.json(['doctor'])
  expect(fine).toMatchObject({ exit: 0, document: { ok: true, checks: expect.arrayContaining([check]) } })
  expect(Object.keys(fine.document)).toEqual(['ok', 'checks'])
  sql(`UPDATE state_keys SET value = '"w"' WHERE key = 'k'`)
  const found = await cairn.json(['doctor'])
  expect(found).toMatchObject({ exit: 1, document: { ok: false } })
  const [problem] = found.document.checks.filter((each: { ok: boolean }) => !each.ok)
  expect(problem).toEqual({ name: 'views', ok: false, detail: `state_keys k of ${root} differs in value` })
  expect((await cairn.run(['doctor'])).exit).toBe(1)
  expect(await cairn.json(['doctor', '--repair'])).toMatchObject({ exit: 0, document: { ok: true } })
  expect((await cairn.answer(['state', 'get', 'k'])).value).toBe('v')
  chmodSync(join(cairn.home, 'cairn.db'), 0o644)
  expect(await cairn.json(['doctor'])).toMatchObject({ exit: 1, document: { ok: false } })
  expect(await cairn.json(['doctor', '--repair'])).toMatchObject({ exit: 0, document: { ok: true } })
  expect(statSync(join(cairn.home, 'cairn.db')).mode & 0o777).toBe(0o600)
  chmodSync(join(cairn.home, 'cairn.db'), 0o600)
})

it('compact, gc, backup, restore, erase and rm answer with the promised members and exit codes', async () => {
  expect(await cairn.answer(['compact', root, '--older-than', '0s'])).toEqual({
    root_session_id: root,
    events: 2,
    versions: 0,
    floor: 3,
  })
  const past = await cairn.json(['state', 'get', 'k', '--at', '2'])
  expect(past).toMatchObject({ exit: 5, document: { error: 'compacted', floor: 3, hint: 'Ask for 3 or later.' } })
  expect(await cairn.json(['state', 'events'])).toMatchObject({
    exit: 5,
    document: { error: 'compacted', resume_since: 2 },
  })
  expect(await cairn.answer(['gc'])).toEqual({ lapsed: 0, requests: 0, uploads: 0, hidden: 0 })

  const file = join(cairn.folder, 'copy.db')
  expect(await cairn.answer(['backup', file])).toEqual({ file, bytes: expect.any(Number), roots: 1 })
  expect(await cairn.json(['backup', file])).toMatchObject({ exit: 5, document: { error: 'already_exists' } })
  expect(await cairn.json(['backup', join(cairn.folder, 'no', 'copy')])).toMatchObject({
    exit: 4,
    document: { error: 'invalid_input' },
  })
  expect(await cairn.json(['restore', file])).toMatchObject({ exit: 5, document: { error: 'already_exists' } })
  const env = { CAIRN_HOME: join(cairn.folder, 'other') }
  const missing = join(cairn.folder, 'missing.db')
  expect(await cairn.json(['restore', missing], { env })).toMatchObject({ exit: 3, document: { error: 'not_found' } })
  expect(existsSync(missing)).toBe(false)
  expect(await cairn.answer(['restore', file], { env })).toEqual({ file, roots: 1, events: 3 })
  const repeat = ['state', 'increment', 'n', '--request-id', 'one', '--session', root]
  expect(await cairn.answer(repeat, { env })).toEqual({ key: 'n', value: 1, version: 1 })

  const asked = await cairn.json(['erase', 'k'])
  expect(asked).toMatchObject({ exit: 4, document: { error: 'precondition_required', confirm: expect.any(String) } })
  const { confirm } = asked.document
  expect(await cairn.json(['erase', 'k', '--confirm', 'yes'])).toMatchObject({ exit: 4 })
  const erased = await cairn.answer(['erase', 'k', '--confirm', confirm])
  expect(erased).toEqual({
    key: 'k',
    events: 1,
    versions: 1,
    answers: 0,
    beyond_reach: expect.arrayContaining(['backups']),
  })
  expect(await cairn.json(['state', 'get', 'k'])).toMatchObject({ exit: 3, document: { error: 'key_not_found' } })

  expect(await cairn.json(['rm', root])).toMatchObject({
    exit: 4,
    document: { error: 'precondition_required', confirm },
  })
  expect(await cairn.json(['rm', root, '--confirm', confirm])).toMatchObject({
    exit: 5,
    document: { error: 'illegal_transition' },
  })
  const removed = await cairn.answer(['rm', root, '--confirm', confirm, '--force'])
  expect(removed).toMatchObject({ root_session_id: root, events: 4, beyond_reach: expect.arrayContaining(['backups']) })
  expect(await cairn.json(['show', root])).toMatchObject({ exit: 3, document: { error: 'session_not_found' } })
  expect((await cairn.answer(['ls', '--all'])).sessions).toEqual([])
  expect(await cairn.json(['doctor'])).toMatchObject({ exit: 0, document: { ok: true } })
})
