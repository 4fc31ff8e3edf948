import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject } from './folders.ts'

const [SQLite] = STORES
const store = freshStore(SQLite as (typeof STORES)[number])
const project = freshProject()

const codeOf = (asking: Promise<unknown>) =>
  asking.then(
    () => 'answered',
    ({ code }) => code,
  )

it('S4-8 S4-21 files of a folder can be listed and read, and nothing outside of it', async () => {
  const cairn = await store().open()
  const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
  const folder = dir as string
  mkdirSync(join(folder, 'research', 'deep'), { recursive: true })
  writeFileSync(join(folder, 'research', 'notes.md'), 'Grüße\n')
  writeFileSync(join(folder, 'research', 'deep', 'image.png'), Buffer.from([0x89, 0x50, 0, 0xff]))
  writeFileSync(join(folder, '..', 'secret.txt'), 'secret')
  symlinkSync('/etc', join(folder, 'research', 'etc'))
  symlinkSync('/etc/passwd', join(folder, 'passwd'))
  const { files, truncated } = await cairn.folder.list({ session })
  const listed = files.map(({ path, bytes }) => `${path} ${bytes}`)
  expect(listed).toEqual(expect.arrayContaining(['research/notes.md 8', 'research/deep/image.png 4']))
  expect([listed.filter((line) => /etc|passwd|lock|rendered/.test(line)), truncated]).toEqual([[], false])
  expect(await cairn.folder.read({ session, path: 'research/notes.md' })).toMatchObject({
    text: 'Grüße\n',
    bytes: 8,
    more: false,
  })
  expect(await cairn.folder.read({ session, path: 'research/notes.md', offset: 0, limit: 2 })).toMatchObject({
    text: 'Gr',
    more: true,
  })
  expect(await cairn.folder.read({ session, path: 'research/deep/image.png' })).toMatchObject({ base64: 'iVAA/w==' })
  for (const path of ['passwd', 'research/etc/passwd', 'research', 'none'])
    expect([path, await codeOf(cairn.folder.read({ session, path }))]).toEqual([path, 'not_found'])
  for (const path of ['../secret.txt', 'research/../../secret.txt', '/etc/passwd', '', 'a//b', './x'])
    expect([path, await codeOf(cairn.folder.read({ session, path }))]).toEqual([path, 'invalid_input'])
  const { session_id: other } = await cairn.session.create({ topic: 'none' })
  expect(await codeOf(cairn.folder.list({ session: other }))).toBe('not_found')
})

it('a folder with more files than a page shows says so', async () => {
  const cairn = await store().open()
  const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
  mkdirSync(join(dir as string, 'research'))
  for (let at = 0; at < 1001; at++) writeFileSync(join(dir as string, 'research', `${at}`), '')
  const { files, truncated } = await cairn.folder.list({ session })
  expect([files.length, truncated]).toEqual([1000, true])
})
