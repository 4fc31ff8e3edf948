import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bytesOf, sha256 } from '../blobs/bytes.ts'
import { startServer } from '../server/servers.ts'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

/** Commands do the same through a server and without one. */
describe.each(['without a server', 'through a server'])('cairn blob %s', (way) => {
  const isServed = way === 'through a server'

  async function begun(topic: string): Promise<string[]> {
    if (isServed) await startServer(cairn)
    return ['--session', await cairn.session(topic)]
  }

  it('puts a file or what comes on standard input, lists it, and gets it back', async () => {
    const on = await begun('Bytes')
    expect((await cairn.run(['blob', 'ls', ...on])).out).toBe('No blobs. Store a file: cairn blob put FILE\n')
    const bytes = Buffer.from(bytesOf(700_001, isServed ? 2 : 1))
    const hash = sha256(bytes)
    const file = cairn.write('in.bin', bytes)
    expect(await cairn.answer(['blob', 'put', file, ...on])).toEqual({ hash, bytes: bytes.length })
    const text = sha256(Buffer.from('héllo'))
    expect((await cairn.run(['blob', 'put', '-', ...on], { input: 'héllo' })).out).toBe(`${text}  6 bytes\n`)
    expect((await cairn.run(['blob', 'get', text, ...on])).out).toBe('héllo')
    const { blobs } = await cairn.answer(['blob', 'ls', ...on])
    expect(blobs.map((each: { hash: string }) => each.hash)).toEqual([hash, text].sort())
    const shown = await cairn.run(['blob', 'ls', ...on])
    expect(shown.out).toMatch(/^HASH +BYTES +CREATED/)
    expect(shown.out).toContain(hash)
    const out = join(cairn.folder, `out-${isServed}.bin`)
    expect((await cairn.run(['blob', 'get', hash, '-o', out, ...on])).out).toBe(`${bytes.length} bytes in ${out}\n`)
    expect(readFileSync(out).equals(bytes)).toBe(true)
    expect(await cairn.answer(['blob', 'get', hash, '--output', out, ...on])).toEqual({
      hash,
      bytes: bytes.length,
      file: out,
    })
    const half = cairn.spawn(['blob', 'get', hash, ...on])
    half.stdout?.once('data', () => half.stdout?.destroy())
    expect(await new Promise((done) => half.on('close', done)), 'a reader that has seen enough').toBe(0)
  })

  it('refuses what is not there or cannot be, and leaves no file behind', async () => {
    const on = await begun('No bytes')
    const hash = sha256(Buffer.from('nothing'))
    const out = join(cairn.folder, 'never.bin')
    const before = readdirSync(cairn.folder)
    const wrong: [args: string[], exit: number, error: string][] = [
      [['get', hash, '-o', out], 3, 'not_found'],
      [['get', 'x', '-o', out], 4, 'invalid_input'],
      [['get', hash], 2, 'usage'],
      [['get'], 2, 'usage'],
      [['put'], 2, 'usage'],
      [['put', join(cairn.folder, 'no-such-file')], 3, 'not_found'],
      [['put', cairn.folder], 4, 'invalid_input'],
      [['put', out, '-o', out], 2, 'usage'],
      [['take', hash], 2, 'usage'],
    ]
    for (const [args, exit, error] of wrong) {
      const told = await cairn.json(['blob', ...args, ...on])
      expect([args, told.exit, told.document.error]).toEqual([args, exit, error])
    }
    await cairn.run(['blob', 'put', '-', ...on], { input: 'nothing' })
    const nowhere = await cairn.json(['blob', 'get', hash, '-o', join(cairn.folder, 'no', 'folder'), ...on])
    expect([nowhere.exit, nowhere.document.error]).toEqual([4, 'invalid_input'])
    expect(existsSync(out)).toBe(false)
    expect(readdirSync(cairn.folder)).toEqual(before)
  })
})
