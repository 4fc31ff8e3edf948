// What a server that comes back tells of the time before it: to the roots that it is about, and once.
import { expect, it } from 'vitest'
import { Outage } from '../../src/runner/supervision/outage.ts'
import type { Look } from '../../src/runner/supervision/seen-rows.ts'

const died = { at: '2026-03-01T02:10:00.000Z', how: 'out of memory', back: '2026-03-01T02:10:03.000Z' }
const seen = Date.parse(died.at)

/** A root whose agents have runs that were begun then; `null` is none. */
function look(root: string, begun: readonly (number | null)[]): Look {
  // Nothing else of it is asked for.
  return { root_session_id: root, agents: begun.map((run_at) => ({ progress: { run_at } })) } as unknown as Look
}

it('a root is told of it once, if a run of it was open then', () => {
  const outage = new Outage(died)
  expect(outage.of(look('later', [seen + 1, null]))).toBe(undefined)
  expect(outage.of(look('idle', []))).toBe(undefined)
  const one = look('one', [null, seen - 5])
  // As long as nobody knows that it stands in the log, it is to be told.
  expect([outage.of(one), outage.of(one)]).toEqual([died, died])
  outage.told('one')
  expect([outage.of(one), outage.of(look('two', [seen]))]).toEqual([undefined, died])
})
