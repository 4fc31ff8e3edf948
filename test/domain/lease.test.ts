// A lease at the very millisecond in which it runs out: nobody has it any more, and whoever comes can.
import { describe, expect, it } from 'vitest'
import { checkHeld, claim, heartbeat, type LeaseTime, release } from '../../src/domain/lease.ts'
import { Refusal } from '../../src/domain/refusal.ts'
import { deciding } from '../setup/memory-rows.ts'

const ttl = 1000

/** A lease that was claimed at 0, and what happens to it at other times. */
function claimed() {
  const on = deciding([])
  const at = (ms: number, gap?: LeaseTime['gap']) => ({
    ...on,
    leaseTime: { ms, boot: '', gap },
    keep: ((table, row) => on.rows.put(table, row)) as typeof on.keep,
  })
  const isHeldAt = (ms: number, gap?: LeaseTime['gap']) =>
    !(checkHeld(on.rows, 'l', 1, { ms, boot: '', gap }) instanceof Refusal)
  expect(claim(at(0), 'l', ttl, 'ann')).toMatchObject({ token: 1 })
  return { at, isHeldAt }
}

describe('a lease', () => {
  it('is held until the millisecond in which it runs out, and free in that one', () => {
    const { at, isHeldAt } = claimed()
    expect([ttl - 1, ttl, ttl + 1].map((ms) => isHeldAt(ms))).toEqual([true, false, false])
    expect(claim(at(ttl - 1), 'l', ttl, 'bob')).toMatchObject({ code: 'held_by_other', details: { expires_in_ms: 1 } })
    expect(heartbeat(at(ttl), 'l', 1)).toMatchObject({ code: 'fenced' })
    expect(release(at(ttl), 'l', 1)).toMatchObject({ code: 'fenced' })
    expect(claim(at(ttl), 'l', ttl, 'bob')).toMatchObject({ token: 2 })
  })

  it('that is kept in its last millisecond has its whole time from there', () => {
    const { at, isHeldAt } = claimed()
    expect(heartbeat(at(ttl - 1), 'l', 1)).toMatchObject({ token: 1 })
    expect([2 * ttl - 2, 2 * ttl - 1].map((ms) => isHeldAt(ms))).toEqual([true, false])
  })

  it('gets its whole time once more where it ran out while the clock jumped, and only there', () => {
    const { isHeldAt } = claimed()
    // From … to: it runs out at 1000.
    expect(isHeldAt(5000, { before: ttl - 1, after: 5000 })).toBe(true)
    expect(isHeldAt(5000, { before: ttl, after: 5000 })).toBe(false)
    expect(isHeldAt(ttl, { before: 500, after: ttl })).toBe(true)
    expect(isHeldAt(ttl - 1 + ttl, { before: 500, after: ttl })).toBe(true)
    expect(isHeldAt(ttl + ttl, { before: 500, after: ttl })).toBe(false)
    expect(isHeldAt(ttl, { before: 500, after: ttl - 1 })).toBe(false)
  })
})
