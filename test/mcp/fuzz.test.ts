// Tools called with arguments made from their schemas, right ones and wrong ones, at random from a fixed seed.
import { describe, expect, it } from 'vitest'
import { tools } from '../../src/surfaces/mcp/tools/index.ts'
import type { Document } from '../cli/sandbox.ts'
import { seedOf } from '../setup/seed.ts'
import { Fuzz } from './fuzz.ts'
import { HttpPeer } from './http-peer.ts'
import { startPeer } from './peer.ts'
import { type Place, place } from './place.ts'

/** Of each transport. */
const calls = process.env.CAIRN_LONG === undefined ? 1000 : 50_000

/** A root that has got full of odd things is left for another. */
const rootCalls = 200

/** What the protocol has for a request that cannot be taken. A fault of ours would be -32603. */
const refusedCodes = [-32600, -32601, -32602, -32002]

const ways = [
  {
    name: 'over stdio',
    seed: 4712,
    connect: async ({ sandbox }: Place) => startPeer(sandbox, {}, ['--profile', 'orchestrator']),
  },
  {
    name: 'over HTTP',
    seed: 4713,
    connect: async ({ server }: Place) => new HttpPeer(server, {}, '?profile=orchestrator'),
  },
]

/** Says what came of a request; throws for an answer that no client could read. */
function outcomeOf(method: string, { jsonrpc, id, result, error }: Document, asked: string): string {
  expect([jsonrpc, id]).toEqual(['2.0', asked])
  if (error !== undefined) {
    expect(refusedCodes).toContain(error.code)
    expect(error.message).toBeTypeOf('string')
    return 'error'
  }
  if (method !== 'tools/call') return 'result'
  const { content, structuredContent, isError = false } = result
  expect(structuredContent).toEqual(JSON.parse(content[0].text))
  if (isError) expect(structuredContent).toMatchObject({ error: expect.any(String), hint: expect.any(String) })
  return isError ? structuredContent.error : 'answer'
}

describe.each(ways)('the fuzzer $name', ({ seed: ordinary, connect }) => {
  const here = place({ served: true })

  it(`${calls} calls from the schemas: never a fault, and no effect when refused`, async () => {
    const seed = seedOf(ordinary)
    const { cairn, newRoot } = here()
    const peer = await connect(here())
    await peer.initialize()
    const fuzz = new Fuzz(seed, tools.orchestrator)
    const head = async () => (await cairn.log.list({ session: fuzz.session, limit: 1 })).last_seq
    const outcomes = new Map<string, number>()
    for (let at = 0; at < calls; at++) {
      if (at % rootCalls === 0) fuzz.session = await newRoot()
      const { method, params } = fuzz.next()
      const what = `call ${at} of seed ${seed}: ${method} ${JSON.stringify(params).slice(0, 400)}`
      const before = await head()
      const answer = await peer.ask(method, params as object, `call-${at}`)
      try {
        const outcome = outcomeOf(method, answer, `call-${at}`)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        expect(outcome).not.toBe('internal')
        if (outcome !== 'answer') expect(await head()).toBe(before)
      } catch (error) {
        throw new Error(`${what} was answered with ${JSON.stringify(answer).slice(0, 400)}`, { cause: error })
      }
    }
    expect(await peer.ask('ping')).toMatchObject({ result: {} })
    expect(Object.keys(Object.prototype)).toEqual([])
    // A fuzzer that is only ever refused, or never, would find nothing.
    for (const outcome of ['answer', 'result', 'error', 'invalid_input', 'key_not_found', 'version_conflict'])
      expect(outcomes.get(outcome) ?? 0, outcome).toBeGreaterThan(0)
  }, 3_600_000)
})
