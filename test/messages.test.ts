import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { statuses } from '../src/surfaces/http/rest/statuses.ts'

it('every message is a sentence, and every code of the guide to troubleshooting is one', () => {
  const rows = readFileSync('docs/messages.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  expect(rows.length).toBeGreaterThan(200)
  for (const row of rows) {
    const [, , message = ''] = row.split(/(?<!\\)\|/).map((cell) => cell.trim())
    for (const text of message.split('<br>')) expect(text).toMatch(/[.…?)]$/)
  }
  const named = readFileSync('docs/guides/troubleshooting.md', 'utf8').matchAll(/^\| `(\w+)`(?:, `(\w+)`)?/gm)
  const known = new Set<string>(Object.keys(statuses))
  for (const [, ...found] of named) for (const code of found.filter(Boolean)) expect(known).toContain(code)
})
