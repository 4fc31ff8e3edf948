import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Lane } from '../../src/log/write/lane.ts'

/** A lane that keeps what it was given, group by group. */
function gathering(ms?: number) {
  const groups: number[][] = []
  const lane = new Lane<number>(
    async (group) => {
      groups.push(group)
      return group.length
    },
    () => undefined,
    undefined,
    ms,
  )
  return { groups, lane }
}

describe('calls in a lane', () => {
  it('that come in turns of the event loop that follow one another go together', async () => {
    const { groups, lane } = gathering(Number.POSITIVE_INFINITY)
    let turn = nextTurn()
    for (let at = 0; at < 4; at++) {
      lane.add(at)
      await turn
      // Before that of the lane, as what comes over a socket does.
      turn = nextTurn()
    }
    await lane.settled()
    expect(groups).toEqual([[0, 1, 2, 3]])
  })

  it('wait for nobody when a turn brought no other', async () => {
    const { groups, lane } = gathering()
    lane.add(0)
    await nextTurn()
    await nextTurn()
    lane.add(1)
    await lane.settled()
    expect(groups).toEqual([[0], [1]])
  })

  it('are never held up for long by others that keep coming, and never more than 256 at once', async () => {
    const { groups, lane } = gathering()
    let added = 0
    while (groups.length < 3) {
      for (let more = 0; more < 100; more++) lane.add(added++)
      await nextTurn()
    }
    await lane.settled()
    expect(groups.flat()).toEqual(Array.from({ length: added }, (_, at) => at))
    for (const group of groups) expect(group.length).toBeLessThanOrEqual(256)
  })

  it('take turns among those who ask: whoever asks for much waits for itself', async () => {
    const done: string[] = []
    const lane = new Lane<string>(
      async (group) => {
        // As a group does that takes too long.
        done.push(...group.slice(0, 2))
        return 2
      },
      () => undefined,
      (entry) => entry.slice(0, 1),
    )
    for (const entry of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) lane.add(entry)
    await lane.settled()
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })
})
