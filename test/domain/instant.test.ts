import { expect, it } from 'vitest'
import { readInstant } from '../../src/domain/log/instant.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'

it.each([
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '2025-02-29T12:00:00+01:00',
  '2026-04-31T00:00Z',
  '2026-13-01',
  '2026-01-00',
])('%s is in no calendar and is refused', (text) => {
  expect(readInstant(text)).toBeInstanceOf(Refusal)
})

it.each([
  ['2024-02-29', Date.UTC(2024, 1, 29)],
  ['2026-11-15T09:30:00Z', Date.UTC(2026, 10, 15, 9, 30)],
  ['2026-01-01T00:30:00+01:00', Date.UTC(2025, 11, 31, 23, 30)],
  ['2025-12-31T23:30:00-01:00', Date.UTC(2026, 0, 1, 0, 30)],
])('%s is read as it is', (text, ms) => {
  expect(readInstant(text)).toBe(ms)
})
