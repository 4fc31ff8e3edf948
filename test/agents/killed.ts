// An agent that is killed after its call took effect and before it was answered, and the one that comes after it.
import { describe, expect, it } from 'vitest'
import { sleep } from '../../src/clock.ts'
import type { Document } from '../cli/sandbox.ts'
import { type Agent, claude, codex } from './agents.ts'
import { killTree, processTree } from './process-tree.ts'
import { childrenOf, setUpFor, startTurn, turn } from './repository.ts'
import type { Running } from './run-program.ts'
import type { Call } from './stand-in.ts'

/** Its MCP server stops itself when the second thing that it wrote is on disk: the first is the session that it joins as. */
const stopBeforeAnswer = ['CAIRN_FAILPOINT', 'answer:stop@2'] as const

async function untilServerStopped({ pid, ended }: Running): Promise<void> {
  let early: unknown
  void ended.then((ran) => {
    early = ran
  })
  while (!processTree(pid).some(({ command, status }) => status === 'T' && / mcp$/.test(command))) {
    expect(early, 'it ended by itself').toBeUndefined()
    await sleep(50)
  }
}

const pairs: readonly { first: Agent; next: Agent; title: string }[] = [
  { first: claude, next: claude, title: 'claude, and claude started again' },
  { first: codex, next: codex, title: 'codex, and codex started again' },
  { first: claude, next: codex, title: 'claude, and codex in its place' },
]

describe.each(pairs)('$title', ({ first, next }) => {
  it('has one effect under one request id, and gives the first answer', async () => {
    const place = await setUpFor(...new Set([first, next]))
    const call: Call = { tool: 'state_increment', arguments: { key: 'count', delta: 5, request_id: 'the one' } }
    const plant = (start: Parameters<Agent['withVariable']>[0]) => first.withVariable(start, ...stopBeforeAnswer)
    const { model, program } = await startTurn(first, place, [call], { plant })
    await untilServerStopped(program)
    expect(await place.answer(['state', 'get', 'count'])).toMatchObject({ value: 5, version: 1 })
    killTree(program.pid)
    await program.ended
    expect(model.results).toEqual([])

    // What happens meanwhile does not change what the call gave.
    await place.answer(['state', 'increment', 'count'])
    const after: Call = { tool: 'state_increment', arguments: { key: 'after' } }
    const results = await turn(next, place, [call, after])
    expect(results[0]).toContain('"value":5,"version":1')
    expect(await place.answer(['state', 'get', 'count'])).toMatchObject({ value: 6, version: 2 })
    const { events } = await place.answer(['why', 'count'])
    const [, effect] = events
    expect(events.map(({ request }: Document) => request)).toEqual([null, 'the one'])
    expect(effect.session_name).toBe(`${first.client}-1`)
    const killed = await place.answer(['session', 'show', effect.session_id])
    expect(killed).toMatchObject({ status: 'completed', reason: 'process gone' })

    const again = first === next ? `${next.client}-2` : `${next.client}-1`
    const { events: afterwards } = await place.answer(['why', 'after'])
    expect(afterwards).toMatchObject([{ session_name: again }])
    expect(await childrenOf(place)).toMatchObject({ [again]: 'completed' })
  })
})
