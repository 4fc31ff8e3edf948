// How long a keeper waits, and what it makes of an end.
import { describe, expect, it } from 'vitest'
import { howOf, wasTold } from '../../src/surfaces/cli/keeper/ended.ts'
import { Pauses } from '../../src/surfaces/cli/keeper/pauses.ts'

it('waits a second, then twice as long each time, at most thirty, and a second again once a server was well', () => {
  const pauses = new Pauses(1000)
  const taken = (times: number) => Array.from({ length: times }, () => pauses.next())
  expect(taken(7)).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  pauses.served(59_999)
  expect(taken(1)).toEqual([30_000])
  pauses.served(60_000)
  expect(taken(2)).toEqual([1000, 2000])
})

const heap = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'

describe('an end', () => {
  it.each([
    [0, null, '', true, 'exit 0'],
    [null, 'SIGTERM', '', true, 'signal 15'],
    [null, 'SIGINT', '', true, 'signal 2'],
    [143, null, '', true, 'exit 143'],
    [130, null, '', true, 'exit 130'],
    [1, null, '', false, 'exit 1'],
    [70, null, heap, false, 'exit 70'],
    [null, 'SIGKILL', heap, false, 'signal 9'],
    [null, 'SIGABRT', '', false, 'signal 6'],
    [null, 'SIGABRT', heap, false, 'out of memory'],
    [134, null, heap, false, 'out of memory'],
  ] as const)('with %s %s was told or died of itself', (code, signal, said, isTold, how) => {
    expect([wasTold({ code, signal }), howOf({ code, signal }, said)]).toEqual([isTold, how])
  })

  it('of what was not even started is told as that', () => {
    expect(howOf({ code: null, signal: null, failed: 'EAGAIN' }, '')).toBe('EAGAIN')
  })
})
