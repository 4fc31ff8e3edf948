import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactMessage } from '../../src/domain/conversations/redaction.ts'
import type { Json, JsonObject } from '../../src/json/value.ts'
import { letters, secrets } from '../setup/planted-secrets.ts'
import { seedOf } from '../setup/seed.ts'

const runs = { numRuns: 500, seed: seedOf(14) }
const token = secrets['a token of GitHub']

/** Text in which no secret begins and none goes on. */
const around = fc.string({
  unit: fc.constantFrom(' ', '\n', '"', '=', 'é', '😀', '(', '{', ':', '%20', '\\n', 'AKIA ', 'ghp_ '),
})
const kind = fc.constantFrom(...(Object.keys(secrets) as (keyof typeof secrets)[]))

/** How a text gets into a message: as it is, or inside of what holds it. */
const places: Record<string, (text: string) => JsonObject> = {
  content: (text) => ({ role: 'user', content: text }),
  block: (text) => ({
    role: 'user',
    content: [
      { type: 'text', text: 'x' },
      { type: 'text', text },
    ],
  }),
  name: (text) => ({ role: 'assistant', content: [{ type: 'tool_use', input: { [text]: 1, [`${text} `]: 2 } }] }),
  arguments: (text) => ({ tool_calls: [{ function: { arguments: JSON.stringify({ a: [text] }) } }] }),
  nested: (text) => ({ content: JSON.stringify({ a: JSON.stringify({ b: text }) }) }),
  escaped: (text) => ({ content: `{"a":"${[...text].map(escapeOf).join('')}"}` }),
  thinking: (text) => ({ content: [{ type: 'thinking', thinking: text, signature: 'c2ln' }] }),
  unsigned: (text) => ({ content: [{ type: 'thinking', thinking: text }] }),
  reasoning: (text) => ({ content: [{ type: 'reasoning', summary: [{ text }], encrypted_content: 'c2ln' }] }),
}

function escapeOf(letter: string): string {
  return [...letter.split('')].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
}

/** All texts and names of a value, with those of JSON in them. */
function textsIn(value: Json): string[] {
  if (typeof value === 'string') {
    try {
      const inside = JSON.parse(value) as Json
      return [value, ...(typeof inside === 'object' || typeof inside === 'string' ? textsIn(inside) : [])]
    } catch {
      return [value]
    }
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)])
}

/** No part of a secret that is longer than what every secret of its kind begins with. */
function expectNoTrace(message: JsonObject, secret: string): void {
  const parts = Array.from({ length: secret.length - 9 }, (_, at) => secret.slice(at, at + 10)).filter((part) =>
    /\w{6}/.test(part),
  )
  for (const text of textsIn(message)) for (const part of parts) expect(text).not.toContain(part)
}

describe('U3 a secret in a message', () => {
  it('is replaced whole, wherever it stands, and nothing else is', () => {
    fc.assert(
      fc.property(kind, around, around, fc.constantFrom(...Object.keys(places)), (what, before, after, place) => {
        const text = `${before} ${secrets[what]} ${after}`
        const { message, redacted } = redactMessage(places[place]?.(text) as JsonObject)
        expectNoTrace(message, secrets[what])
        expect(redacted.map((each) => each.what)).toContain(what)
        const isSigned = place === 'thinking' || place === 'reasoning'
        const stands = isSigned
          ? `[redacted: signed thinking that held ${what}]`
          : `${before} [redacted: ${what}] ${after}`
        expect(textsIn(message)).toContain(stands)
        expect(redactMessage(message)).toEqual({ message, redacted: [] })
        // Arguments are still JSON.
        if (place === 'arguments') expect(JSON.stringify(textsIn(message))).toContain('"a"')
      }),
      runs,
    )
  })

  it('is found right behind another', () => {
    const all = Object.values(secrets)
    for (const first of all) {
      for (const second of all) {
        const { message } = redactMessage({ content: `${first}${second}` })
        // Letters behind a token are its own; a key of AWS has a fixed length and is none in a longer word.
        if (first.startsWith('AKIA') && !second.startsWith('-')) continue
        expect(message.content).not.toContain(second.slice(-16))
        expect(redactMessage(message).redacted).toEqual([])
      }
    }
  })

  it('of a private key without an end goes to the end of its text', () => {
    const key = secrets['a private key'].split('\n').slice(0, 2).join('\n')
    expect(redactMessage({ content: `a ${key}\nAAAA` }).message.content).toBe('a [redacted: a private key]')
    const given = JSON.stringify({ key: `${key}\nAAAA`, other: 12345678901 })
    const { message } = redactMessage({ arguments: given })
    expect(JSON.parse(String(message.arguments))).toEqual({ key: '[redacted: a private key]', other: 12345678901 })
  })

  it('says where it stood, without showing a name that is one', () => {
    const given = { content: [{ type: 'text', text: `${token} ${token}` }, { [token]: { [token]: 'x' } }] }
    const { message, redacted } = redactMessage(given)
    expect(redacted.map(({ path }) => path)).toEqual([
      '$.content[0].text',
      '$.content[0].text',
      '$.content[1]',
      '$.content[1]["[redacted: a token of GitHub]"]',
    ])
    expect(JSON.stringify({ message, redacted })).not.toContain(token.slice(4, 20))
  })

  it('as the name of a member leaves every member there', () => {
    const { message } = redactMessage({ [token]: 1, [`${token}x`]: 2, [`${token}y`]: 3, z: 4 })
    expect(Object.values(message)).toEqual([1, 2, 3, 4])
    expect(Object.keys(message)[1]).toBe('[redacted: a token of GitHub] 2')
  })

  it('in a signed block takes the block with it; others keep their signature', () => {
    const signed = { type: 'thinking', thinking: 'fine', signature: 'c2ln' }
    const { message } = redactMessage({
      role: 'assistant',
      content: [signed, { ...signed, thinking: `so ${token}` }, { type: 'redacted_thinking', data: token }],
    })
    const text = '[redacted: signed thinking that held a token of GitHub]'
    expect(message.content).toEqual([signed, { type: 'text', text }, { type: 'text', text }])
    const item = {
      type: 'reasoning',
      id: 'rs',
      summary: [{ type: 'summary_text', text: token }],
      encrypted_content: 'x',
    }
    expect(redactMessage({ role: 'assistant', content: [item] }).message.content).toEqual([
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
    ])
  })

  it('is not seen where there is none: the message is the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (content) => {
        const message = { content: content as Json }
        expect(redactMessage(message).message).toBe(message)
      }),
      runs,
    )
    const message = { content: `the prefix ghp_ and sk-ant- and ${letters}` }
    expect(redactMessage(message)).toEqual({ message, redacted: [] })
  })

  it('is looked for in a time that grows with the text alone', () => {
    const near = [
      ' ghp_',
      '-----BEGIN A ',
      '-----BEGIN PRIVATE KEY-----\n',
      ' sk-ant-aaaaaaaaaaaaaaa',
      '{"a":"\\u0067',
      '[1;',
      '\\',
    ]
    const once = ['-----BEGIN PRIVATE KEY-----', `-----BEGIN PRIVATE KEY-----\n${letters}-----END `]
    for (const each of near) redactMessage({ content: each.repeat(1_000_000 / each.length) })
    // Were it the square of the length, this would not come to an end before the test is stopped.
    for (const each of once)
      for (const more of ['A ', ' ', '-----END A ']) redactMessage({ content: each + more.repeat(500_000) })
  })
})
