// Claude Code and Codex at once in one repository that `cairn setup` was run in for both.
import { describe, expect, it } from 'vitest'
import type { Document } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'
import { claude, codex } from './agents.ts'
import { childrenOf, setUpFor, turn } from './repository.ts'
import type { Call } from './stand-in.ts'

const rounds = 12

/** Lets nobody begin a round before all have come to it. */
function starter(runners: number): (round: number) => Promise<void> {
  const lines = Array.from({ length: rounds }, () => {
    let go = () => {}
    return { here: 0, begun: new Promise<void>((resolve) => (go = resolve)), go: () => go() }
  })
  return (round) => {
    const line = lines[round] as (typeof lines)[number]
    line.here += 1
    if (line.here === runners) line.go()
    return line.begun
  }
}

describe('claude and codex at once', () => {
  it.each([
    { way: 'with the store itself', isServed: false },
    { way: 'through a running server', isServed: true },
  ])('count exactly on one key, and are told apart, $way', async ({ isServed }) => {
    const place = await setUpFor(claude, codex)
    if (isServed) await startServer(place)
    const ready = starter(2)
    const counting = (delta: number): Call[] =>
      Array.from({ length: rounds }, (_, round) => ({
        tool: 'state_increment',
        arguments: { key: 'count', delta },
        before: () => ready(round),
      }))
    const results = await Promise.all([turn(claude, place, counting(1)), turn(codex, place, counting(100))])
    expect(results.map(({ length }) => length)).toEqual([rounds, rounds])

    const count = await place.answer(['state', 'get', 'count'])
    expect(count).toMatchObject({ value: rounds * 101, version: rounds * 2 })
    expect(await childrenOf(place)).toEqual({ 'claude-code-1': 'completed', 'codex-mcp-client-1': 'completed' })
    const { events } = await place.answer(['why', 'count', '--limit', '100'])
    const said = (delta: number) => events.filter(({ did }: Document) => did.startsWith(`added ${delta},`))
    const authors = (delta: number) => said(delta).map(({ session_name }: Document) => session_name)
    expect(authors(1)).toEqual(Array(rounds).fill('claude-code-1'))
    expect(authors(100)).toEqual(Array(rounds).fill('codex-mcp-client-1'))
    expect(count.updated_by).toBe(events[0].session_id)
  })

  it('of two that claim one key, one works on it and the other is told who does', async () => {
    const place = await setUpFor(claude, codex)
    const ready = starter(2)
    const claiming: Call[] = [0, 1].map((round) => ({
      // The second round keeps the first to finish there: a claim must not go with its program before the other has asked.
      tool: round === 0 ? 'state_claim' : 'state_get',
      arguments: { key: 'task' },
      before: () => ready(round),
    }))
    const [ofClaude = [], ofCodex = []] = await Promise.all([claude, codex].map((each) => turn(each, place, claiming)))
    const [first = '', second = ''] = [ofClaude[0], ofCodex[0]]
    const isClaude = first.includes('"token"')
    expect(isClaude ? second : first).not.toContain('"token":"')
    expect(isClaude ? second : first).toContain(isClaude ? 'claude-code-1' : 'codex-mcp-client-1')
  })
})
