import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

it('S0-143 S0-144 the tour ends with exact results and leaves nothing behind', async () => {
  const temporary = join(cairn.folder, 'tmp')
  mkdirSync(temporary)
  // With --json the story goes to stderr and the results are the one document.
  const { document, err, exit } = await cairn.json(['tour'], { env: { TMPDIR: temporary } })
  expect([document.ok, exit]).toEqual([true, 0])
  expect(document.checks).toHaveLength(8)
  for (const { expected, found } of document.checks) expect(found).toBe(expected)
  expect(err.match(/: exact/g)).toHaveLength(8)
  expect(err).not.toContain('NOT EXACT')
  expect(err.split('\n').length).toBeLessThanOrEqual(60)
  expect(readdirSync(temporary)).toEqual([])
  expect(existsSync(cairn.home)).toBe(false)
})
