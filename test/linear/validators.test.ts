import { describe, expect, it } from 'vitest'
import type { FeedEvent } from '../../src/domain/log/event.ts'
import { atomic, bookmarkable, gapFree, ordered, problemsOf, resumable, unique } from './validators.ts'

/** Events 1 to 6; 3 and 4 are one request, and so are 5 and 6. */
const log = [null, null, 'x', 'x', 'y', 'y'].map((request, at): FeedEvent => {
  const seq = at + 1
  const data = { delta: seq }
  const made = { root_session_id: 'r', seq, id: `e${seq}`, session_no: 0, session_id: 's', stream: 'state', data }
  return {
    ...made,
    version: seq,
    key: 'k',
    type: 'increment',
    actor: 'a',
    at: '',
    request,
    cause: null,
    hash: `h${seq}`,
  }
})
const entries = log.map(({ root_session_id: _root, ...entry }) => entry)

function came(...seqs: number[]): FeedEvent[] {
  return seqs.map((seq) => log[seq - 1] as FeedEvent)
}

describe('the validators of the feed', () => {
  it('find nothing wrong with what is right', () => {
    expect(problemsOf(log, entries)).toEqual([])
    expect(problemsOf(came(3, 4, 5, 6), entries, 2)).toEqual([])
    expect(resumable([came(1, 2, 3), came(4, 5, 6)], entries)).toEqual([])
    expect(gapFree(came(2, 4, 6), entries, 0, ({ seq }) => seq % 2 === 0)).toEqual([])
  })

  it('find what comes out of order', () => {
    expect(ordered(came(1, 3, 2, 4))).toEqual(['ordered: 2 came after 3'])
  })

  it('find what comes twice, and what shares a number', () => {
    expect(unique(came(1, 2, 2))).toEqual(['unique: 2 came twice', 'unique: e2 came twice'])
    expect(unique([...came(1, 2), { ...(log[2] as FeedEvent), seq: 2 }])).toEqual(['unique: 2 came twice'])
  })

  it('find a request that is split or comes in part', () => {
    expect(atomic(came(1, 2, 3, 5, 4, 6), entries)).toEqual(['atomic: x was split', 'atomic: y was split'])
    expect(atomic(came(1, 2, 3, 4, 5), entries)).toEqual(['atomic: 1 of 2 events of y came'])
  })

  it('find gaps, strangers and events that are not as they were written', () => {
    expect(gapFree(came(1, 2, 4, 5, 6), entries)).toEqual(['gap-free: 3 did not come'])
    expect(gapFree(came(1, 2, 3, 4, 5, 6), entries.slice(0, 5))).toEqual(['gap-free: 6 was not to come'])
    expect(gapFree([...came(1, 2, 3, 4, 5), { ...(log[5] as FeedEvent), key: 'j' }], entries)).toEqual([
      'gap-free: 6 is not as it is in the log',
    ])
  })

  it('find a reader that went on at the wrong place', () => {
    expect(resumable([came(1, 2, 3), came(3, 4, 5, 6)], entries)).toContain('resumable: unique: 3 came twice')
    expect(resumable([came(1, 2), came(5, 6)], entries)).toContain('resumable: gap-free: 3 did not come')
    expect(bookmarkable(4, came(4, 5, 6), entries)).toContain('bookmarkable: 4 was seen before')
    expect(bookmarkable(4, came(6), entries)).toEqual(['bookmarkable: from 4: gap-free: 5 did not come'])
  })
})
