import { describe, expect, it } from 'vitest'
import { childSessionId, foldName, isoTime, slugOf, uuid7 } from '../../src/domain/log/identity.ts'

const at = Date.UTC(2026, 10, 15, 12)
const id = 'sess_01a1df141e0070008000000000abcdef'

describe('ids', () => {
  it('C15 a UUIDv7 has the time in front, its marks in their places and the rest from what was drawn', () => {
    expect(uuid7(at, '0123456789abcdef0123')).toBe('01a1df141e007012b456789abcdef012')
    expect(uuid7(0, 'ffffffffffffffffffff')).toBe('0000000000007fffbfffffffffffffff')
    for (const digit of '0123456789abcdef') {
      expect(uuid7(at, `000${digit}0000000000000000`)).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
    }
  })

  it('C15 sorts by time', () => {
    const ids = [0, 1, 1000, at, at + 1].map((time) => uuid7(time, '0'.repeat(20)))
    expect([...ids].sort()).toEqual(ids)
  })

  it('C15 gives a child an id by its root and event: the same again, another in a fork', () => {
    const one = childSessionId('sess_a', 'event', at)
    expect(one).toMatch(/^sess_[0-9a-f]{32}$/)
    expect(childSessionId('sess_a', 'event', at)).toBe(one)
    expect(childSessionId('sess_b', 'event', at)).not.toBe(one)
    expect(childSessionId('sess_a', 'other', at)).not.toBe(one)
  })
})

describe('slugs', () => {
  it.each([
    ['Faster parser', 'faster-parser'],
    ['  --Hello,   World!--  ', 'hello-world'],
    ['Café Über', 'cafe-uber'],
    ['日本語', 'session'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a'.repeat(60), 'a'.repeat(40)],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
    ['\u0000\n', 'session'],
    ['CON', 'con'],
  ])('C15 of %j is %s between the day and the end of the id', (topic, words) => {
    expect(slugOf(topic, at, id)).toBe(`2026-11-15_${words}_abcdef`)
  })
})

describe('names', () => {
  it.each([
    ['Worker', 'WORKER'],
    ['caf\u00e9', 'CAFE\u0301'],
    ['\u00c5', 'a\u030a'],
    ['\u212b', '\u00e5'],
  ])('U6 %j and %j are one name', (one, other) => {
    expect(foldName(one)).toBe(foldName(other))
  })

  it.each([
    ['a', 'b'],
    ['a b', 'a  b'],
    ['cafe', 'café'],
  ])('%j and %j are two names', (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other))
  })

  it('C14 times are shown as ISO 8601 in UTC', () => {
    expect(isoTime(at + 7)).toBe('2026-11-15T12:00:00.007Z')
  })
})
