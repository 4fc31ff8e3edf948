import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { mutants } from './list.ts'

it('every fault of the list can still be planted: its line stands in its file once', () => {
  const stale = mutants.filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2)
  expect(stale.map(({ name }) => name)).toEqual([])
})
