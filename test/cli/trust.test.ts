import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { checkTrusted } from '../../src/home/trust.ts'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

const workflow = 'objective: Build\nagents:\n  - { id: a, run: [sh, -c, ./profile.sh] }\n'

function written(name: string, text: string): string {
  const path = join(cairn.project, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

const codeOf = (path: string) => checkTrusted(cairn.home, path, readFileSync(path))?.code

it('a file of a repository that names commands runs only once its very content was trusted', async () => {
  const path = written('flows/build.yaml', workflow)
  expect(codeOf(path)).toBe('not_trusted')
  const asked = await cairn.run(['trust'])
  expect([asked.exit, asked.out]).toEqual([2, expect.stringContaining('./profile.sh')])
  expect(codeOf(path)).toBe('not_trusted')
  expect(await cairn.answer(['trust', '--yes'])).toEqual({ trusted: ['flows/build.yaml'], known: 0 })
  expect(codeOf(path)).toBeUndefined()
  expect(await cairn.answer(['trust', '--yes'])).toEqual({ trusted: [], known: 1 })
  expect(statSync(join(cairn.home, 'trusted.json')).mode & 0o777).toBe(0o600)
  writeFileSync(path, workflow.replace('./profile.sh', './other.sh'))
  expect(codeOf(path)).toBe('not_trusted')
})

it('the same text elsewhere in a repository is not trusted by that, and outside of one needs no trust', async () => {
  const path = written('one.yaml', workflow)
  await cairn.answer(['trust', 'one.yaml', '--yes'])
  expect([codeOf(path), codeOf(written('two.yaml', workflow))]).toEqual([undefined, 'not_trusted'])
  expect(codeOf(cairn.write('three.yaml', workflow))).toBeUndefined()
})

it('an agent cannot trust a file, and nobody is taken to have agreed', async () => {
  const path = written('four.yaml', workflow)
  const { document, exit } = await cairn.json(['trust', 'four.yaml', '--yes'], { env: { CAIRN_TOKEN: 'cairn_x' } })
  expect([exit, document.error]).toEqual([4, 'forbidden'])
  expect((await cairn.json(['trust', 'four.yaml'])).exit).toBe(2)
  expect(codeOf(path)).toBe('not_trusted')
})

it('pipes are not waited for, what is too long is not read, and what cannot be read trusts nothing', async () => {
  const pipe = join(cairn.project, 'pipe.yaml')
  execFileSync('mkfifo', [pipe])
  const { document } = await cairn.json(['trust', 'pipe.yaml', '--yes'])
  expect(document.error).toBe('invalid_input')
  written('long.yaml', `${workflow}# ${'x'.repeat(1024 * 1024)}`)
  expect((await cairn.json(['trust', 'long.yaml', '--yes'])).document.error).toBe('invalid_input')
  expect((await cairn.json(['trust', 'none.yaml', '--yes'])).document.error).toBe('not_found')
  expect((await cairn.answer(['trust', '--yes'])).trusted).not.toContain('long.yaml')
  writeFileSync(join(cairn.home, 'trusted.json'), '{"')
  expect(() => codeOf(written('five.yaml', workflow))).toThrow(/trusted.json cannot be read/)
})
