// A lease at the very millisecond in which it runs out: nobody has it any more, and whoever comes can.
import { describe, expect, it } from 'vitest'
import { type Claim, readLeaseToken } from '../../src/domain/leases/fence.ts'
import { checkHeld, claim, heartbeat, release } from '../../src/domain/leases/lease.ts'
import { leases } from '../../src/domain/leases/tables.ts'
import type { LeaseTime } from '../../src/domain/log/lease-time.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
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
  const claimAt = (ms: number, holder: string) => claim(at(ms), { name: 'l', ttl, holder })
  const first = claimAt(0, 'ann')
  if (first instanceof Refusal) throw new Error(first.message)
  const { token } = first
  const fence = { name: 'l', ...(readLeaseToken(token) as Claim) }
  expect(fence.epoch).toBe(1)
  const isHeldAt = (ms: number, gap?: LeaseTime['gap']) =>
    !(checkHeld(on.rows.get(leases, 'l'), fence, { ms, boot: '', gap }) instanceof Refusal)
  return { at, isHeldAt, claimAt, token }
}

describe('a lease', () => {
  it('is held until the millisecond in which it runs out, and free in that one', () => {
    const { at, isHeldAt, claimAt, token } = claimed()
    expect([ttl - 1, ttl, ttl + 1].map((ms) => isHeldAt(ms))).toEqual([true, false, false])
    expect(claimAt(ttl - 1, 'bob')).toMatchObject({ code: 'held_by_other', details: { expires_in_ms: 1 } })
    expect(heartbeat(at(ttl), 'l', token)).toMatchObject({ code: 'fenced' })
    expect(release(at(ttl), 'l', token)).toMatchObject({ code: 'fenced' })
    expect(claimAt(ttl, 'bob')).toMatchObject({ token: expect.stringMatching(/^2\./) })
  })

  it('that is kept in its last millisecond has its whole time from there', () => {
    const { at, isHeldAt, token } = claimed()
    expect(heartbeat(at(ttl - 1), 'l', token)).toMatchObject({ token })
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
