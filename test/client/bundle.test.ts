// The client as one built file.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'

const gzipBytesMax = 15_000
const file = resolve('dist/client.js')

it(`is one file of at most ${gzipBytesMax} bytes with gzip`, () => {
  const bytes = readFileSync(file)
  const { length } = gzipSync(bytes, { level: 9 })
  process.stdout.write(`agent-cairn/client: ${bytes.length} bytes, ${length} with gzip\n`)
  expect(length).toBeLessThanOrEqual(gzipBytesMax)
})

it('needs nothing of Node and no other file', async () => {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    platform: 'browser',
    write: false,
    metafile: true,
  })
  expect(Object.keys(metafile.inputs)).toHaveLength(1)
  const text = readFileSync(file, 'utf8')
  expect(text).not.toMatch(/\b(?:import|require)\b\s*[({'"]|\bnode:|\bprocess\.|\bBuffer\b/)
})

it('its refusals are those of the library', async () => {
  const client = await import(file)
  const nobody = client.connect({ url: 'http://127.0.0.1:1', token: 't', deadlineMs: 1 })
  const thrown = await nobody.state.get({ key: 'a' }).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'unavailable', hint: 'Check its address and that it is running.', details: {} })
  expect(thrown).toBeInstanceOf(CairnRefusal)
  expect(thrown).toBeInstanceOf(client.CairnRefusal)
  expect(new Error('another')).not.toBeInstanceOf(client.CairnRefusal)
})
