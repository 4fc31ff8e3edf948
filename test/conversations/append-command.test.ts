// `cairn context append` with what is large, and with secrets of the environment.
import { openSync, readdirSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'

const cli = sandbox()

it('uploads a large file as a blob and names it in the message', async () => {
  const session = await cli.session('large')
  const file = cli.write('large.txt', `first\n${'a line of output\n'.repeat(400_000)}`)
  const { sequence_number } = await cli.answer([
    'context',
    'append',
    session,
    '--role',
    'user',
    '--content',
    `@${file}`,
  ])
  expect(sequence_number).toBe(1)
  const { blobs } = await cli.answer(['context', 'show', session])
  expect(blobs).toMatchObject([{ path: ['content'], bytes: 6_800_006 }])
  const { blobs: kept } = await cli.answer(['blob', 'ls', '--session', session])
  expect(kept).toHaveLength(1)
})

it('refuses a file above the limit, and says which limit', async () => {
  const session = await cli.session('too large')
  const file = cli.write('huge.txt', 'x')
  const handle = openSync(file, 'r+')
  writeSync(handle, 'y')
  truncateSync(file, 100 * 1024 * 1024)
  const { document, exit } = await cli.json(['context', 'append', session, '--role', 'user', '--content', `@${file}`])
  expect(exit).toBe(4)
  expect(document).toMatchObject({ error: 'payload_too_large', hint: 'Append it as several messages.' })
  expect(document.message).toContain('blobBytes')
})

it('replaces the values of secret variables before anything is stored', async () => {
  const session = await cli.session('secrets')
  const secret = 'correct-horse-battery-staple'
  const env = { DEPLOY_TOKEN: secret }
  await cli.answer(['context', 'append', session, '--role', 'user', '--content', `log in with ${secret}`], { env })
  const { messages } = await cli.answer(['context', 'show', session])
  expect(messages).toEqual([{ role: 'user', content: 'log in with [redacted: the value of $DEPLOY_TOKEN]' }])
  for (const name of readdirSync(cli.home)) {
    expect(readFileSync(join(cli.home, name)).includes(secret), name).toBe(false)
  }
})
