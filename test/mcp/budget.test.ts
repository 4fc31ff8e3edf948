// What the tools cost: their list stands in the context of every agent, all the time.
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import type { MethodCall } from '../../src/surfaces/mcp/method-call.ts'
import { toolsListed } from '../../src/surfaces/mcp/methods/tool-calls.ts'
import { tools } from '../../src/surfaces/mcp/tools/index.ts'

const tokensMax = { agent: 2500, orchestrator: 4500 } as const
/** A description is one or two sentences, or a little more where an operation has a grammar of its own. */
const descriptionCharsMax = 220

/** By the tokenizer that makes more of it. */
function tokensIn(value: unknown): number {
  const text = JSON.stringify(value)
  return Math.max(encodeO200k(text).length, encodeCl100k(text).length)
}

function listed(profile: keyof typeof tokensMax): { tools: { name: string; description: string }[] } {
  const offer = { tools: tools[profile], version: '', report: () => undefined }
  return toolsListed({ offer } as unknown as MethodCall) as never
}

describe.each(['agent', 'orchestrator'] as const)('the profile %s', (profile) => {
  it(`costs at most ${tokensMax[profile]} tokens`, () => {
    const list = listed(profile)
    const rows = list.tools.map((tool) => ({ tool: tool.name, tokens: tokensIn(tool) }))
    const tokens = tokensIn(list)
    console.table([...rows, { tool: 'all of tools/list', tokens }])
    expect(tokens).toBeLessThanOrEqual(tokensMax[profile])
  })

  it('says in a few words when to use a tool', () => {
    for (const { name, description } of listed(profile).tools) {
      expect(description, name).toMatch(/^[A-Z].*\.$/)
      expect(description.length, name).toBeLessThanOrEqual(descriptionCharsMax)
    }
  })
})
