import { describe, expect, it } from 'vitest'
import { checkTransition, hasEnded, statuses } from '../../src/domain/sessions/lifecycle.ts'

/** The table of the contract, as it is printed there. */
const LEGAL: Record<string, string> = {
  created: 'running, resumable, completed, failed, cancelled, skipped',
  running: 'paused, resumable, completed, failed, cancelled',
  paused: 'running, resumable, completed, failed, cancelled',
  resumable: 'running, completed, failed, cancelled',
  completed: 'running',
  failed: 'created, running',
  cancelled: 'created, running',
  skipped: 'created',
}

describe('transitions', () => {
  it('C2 C29 knows the words of the contract and no others', () => {
    expect([...statuses].sort()).toEqual(Object.keys(LEGAL).sort())
  })

  const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })))

  it.each(pairs)('U24 $from to $to', ({ from, to }) => {
    const legal = (LEGAL[from] ?? '').split(', ')
    const refusal = checkTransition(from, to)
    if (legal.includes(to)) expect(refusal).toBeUndefined()
    else {
      expect(refusal).toMatchObject({ code: 'illegal_transition', details: { from, to } })
      expect([...((refusal?.details.legal ?? []) as string[])].sort()).toEqual([...legal].sort())
      for (const word of legal) expect(refusal?.hint).toContain(word)
    }
  })

  it.each(statuses)('knows whether %s is an end', (status) => {
    expect(hasEnded(status)).toBe(['completed', 'failed', 'cancelled', 'skipped'].includes(status))
  })
})
