import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ledgerText } from '../scripts/ledger.mjs'

it('keeps docs/requirements.md in step with the titles of the tests', () => {
  const kept = readFileSync('docs/requirements.md', 'utf8').split('\n')
  const wanted = ledgerText().split('\n')
  const stale = wanted.filter((line) => !kept.includes(line))
  const gone = kept.filter((line) => !wanted.includes(line))
  expect([...stale, ...gone], 'run `npm run ledger` and commit docs/requirements.md').toEqual([])
  expect(kept).toEqual(wanted)
})
