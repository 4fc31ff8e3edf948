// What `cairn resume` looks at before work goes on: files of the project, and nothing else.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { verify } from '../../src/surfaces/cli/resume/verify.ts'

it('S2-39 S2-40 S2-41 flags what is not as the journal says; links out, pipes and commands are not followed, opened or run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-verify-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const project = join(folder, 'project')
  mkdirSync(join(project, 'src'), { recursive: true })
  writeFileSync(join(folder, 'secret'), 'class Lexer')
  writeFileSync(join(project, 'src/a.ts'), 'class Lexer {}')
  symlinkSync(join(folder, 'secret'), join(project, 'out'))
  symlinkSync('src/a.ts', join(project, 'in'))
  execFileSync('mkfifo', [join(project, 'pipe')])
  const built = (file: string | null, contains: string | null, command: string | null = null) => ({
    text: 'A lexer',
    file,
    contains,
    command,
  })
  const found = verify(project, {
    files: ['src/a.ts', 'in', 'gone.ts', 'out', 'pipe', 'src'].map((file) => ({ file })),
    implementations: [
      built('src/a.ts', 'class Lexer'),
      built('src/a.ts', 'class Parser'),
      built('out', 'class Lexer'),
      built('pipe', 'x'),
      built(null, null),
      built('src/a.ts', null, `touch ${join(folder, 'ran')}`),
    ],
  })
  const files = ['ok', 'ok', 'mismatch', 'unchecked', 'mismatch', 'mismatch']
  expect(found.map(({ result }) => result)).toEqual([
    ...files,
    ...['ok', 'mismatch', 'unchecked', 'mismatch', 'unchecked', 'ok'],
  ])
  expect(found.at(-1)?.detail).toMatch(/was not run/)
  expect(verify(undefined, { files: [{ file: 'a' }], implementations: [] })[0]?.result).toBe('unchecked')
})
