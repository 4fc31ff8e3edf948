import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Outgoing, withUnknownOutcomes } from '../../src/domain/conversations/forms/outcomes.ts'
import { readMessage } from '../../src/domain/conversations/forms/read.ts'
import { formOf, textOf } from '../../src/domain/conversations/forms/text.ts'
import { writeMessages } from '../../src/domain/conversations/forms/write.ts'
import { type Form, forms } from '../../src/domain/conversations/stored.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import type { Json, JsonObject } from '../../src/json/value.ts'
import { seedOf } from '../setup/seed.ts'
import { conversations } from './arbitraries.ts'

const runs = { numRuns: 300, seed: seedOf(14) }

function stored(given: readonly JsonObject[]): Outgoing[] {
  const read = given.flatMap((each) => {
    const parts = readMessage(each)
    if (parts instanceof Refusal) throw new Error(`${parts.message} ${JSON.stringify(each)}`)
    return parts.map(({ calls: _, ...part }) => part)
  })
  return read.map((each, at) => ({ ...each, version: at + 1 }))
}

/** What a provider would take: the items of a turn one by one, and the system beside the messages. */
function expected(given: readonly JsonObject[], form: Form): JsonObject[] {
  if (form === 'anthropic') return given.filter(({ role }) => role !== 'system')
  if (form === 'openai') return [...given]
  return given.flatMap((each) =>
    each.role === 'assistant' && each.type === undefined ? (each.content as JsonObject[]) : [each],
  )
}

/** The ids of calls and of results in a conversation, in its order, a list for each message. */
function places(messages: readonly JsonObject[]): { calls: string[]; results: string[] }[] {
  const blocks = ({ content }: JsonObject) => (Array.isArray(content) ? (content as JsonObject[]) : [])
  return messages.map((message) => ({
    calls: [
      ...((message.tool_calls ?? []) as JsonObject[]).map(({ id }) => String(id)),
      ...blocks(message).flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : [])),
      ...(/_call$/.test(String(message.type)) && message.call_id ? [String(message.call_id)] : []),
    ],
    results: [
      ...(message.role === 'tool' ? [String(message.tool_call_id)] : []),
      ...blocks(message).flatMap(({ type, tool_use_id: id }) => (type === 'tool_result' ? [String(id)] : [])),
      ...(/_call_output$/.test(String(message.type)) ? [String(message.call_id)] : []),
    ],
  }))
}

/** Each call has one result, behind it and before anything else that is said. */
function expectAnswered(messages: readonly JsonObject[]): void {
  let open: string[] = []
  let isAnswering = false
  for (const { calls, results } of places(messages)) {
    if (results.length === 0 && (calls.length === 0 || isAnswering)) expect(open, JSON.stringify(messages)).toEqual([])
    for (const id of results) expect(open, JSON.stringify(messages)).toContain(id)
    open = [...open.filter((id) => !results.includes(id)), ...calls]
    isAnswering = results.length > 0
  }
  expect(open).toEqual([])
}

describe.each(forms)('a conversation in the form %s', (form) => {
  it('comes back exactly as it was given', () => {
    fc.assert(
      fc.property(conversations(form, true), ({ given }) => {
        const { messages, system, left_out } = writeMessages(stored(given), form)
        expect(JSON.stringify(messages)).toBe(JSON.stringify(expected(given, form)))
        if (form === 'anthropic') expect(system).toBe(given[0]?.content)
        expect(left_out).toEqual([])
      }),
      runs,
    )
  })

  it.each(forms)('says everything in the form %s, or says what it left out', (other) => {
    fc.assert(
      fc.property(conversations(form, false), ({ given, texts, calls }) => {
        const { messages, system, left_out } = writeMessages(stored(given), other)
        const said = JSON.stringify([system ?? null, messages]).replaceAll('\\\\', '\\')
        for (const text of texts) expect(said).toContain(text.slice(0, text.indexOf('‹') + 1))
        for (const { id, result } of calls) {
          expect(said).toContain(id)
          if (result === undefined) expect(said).toContain('outcome unknown: interrupted')
        }
        if (other !== form) expectNamed(given, left_out)
        const images = (value: Json) =>
          [...JSON.stringify(value).matchAll(/"type":"(?:input_)?image(?:_url)?"/g)].length
        const lost = left_out.filter(({ what }) => /^an image (?:of|that)/.test(what))
        expect(images(messages) + lost.length).toBe(images(given))
        expectAnswered(messages)
      }),
      runs,
    )
  })
})

/** What no other form has is named as often as it was given. */
function expectNamed(given: readonly JsonObject[], leftOut: readonly { what: string }[]): void {
  const all = leftOut.map(({ what }) => what).join('\n')
  const count = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].length
  const text = JSON.stringify(given)
  expect(count(all, /thinking and its signature/g)).toBe(count(text, /"type":"thinking"/g))
  expect(count(all, /^reasoning$/gm)).toBe(count(text, /"type":"reasoning"/g))
  expect(count(all, /"(?:container_upload|input_audio|input_file|web_search_call)"/g)).toBe(
    count(text, /"type":"(?:container_upload|input_audio|input_file|web_search_call)"/g),
  )
  expect(count(all, /"cache_control"/g)).toBe(count(text, /"cache_control"/g))
  expect(count(all, /"name" of the message/g)).toBe(count(text, /"name":"ann"/g))
}

describe('results', () => {
  const use = (...ids: string[]): JsonObject => ({
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool_use', id, name: 'run', input: {} })),
  })
  const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` })
  const user = (...content: Json[]): JsonObject => ({ role: 'user', content })
  const text = { type: 'text', text: 'and now?' }

  it('U36 that are missing say that the outcome is unknown, in every form', () => {
    const given = [use('a', 'b'), user(result('b')), { role: 'user', content: 'go on' }, use('c')]
    const { messages } = writeMessages(stored(given), 'anthropic')
    const unknown = (id: string) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: 'outcome unknown: interrupted',
      is_error: true,
    })
    expect(messages).toEqual([given[0], user(result('b'), unknown('a')), given[2], given[3], user(unknown('c'))])
    expect(writeMessages(stored(given), 'openai').messages.at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'c',
      content: 'outcome unknown: interrupted',
    })
    const items = writeMessages(stored(given), 'responses')
    expect(items.messages.at(-1)).toEqual({
      type: 'function_call_output',
      call_id: 'c',
      output: 'outcome unknown: interrupted',
    })
    expect(items.left_out).toEqual([])
    expect(withUnknownOutcomes(stored(given)).map(({ call, outcome }) => outcome && call)).toContain('c')
  })

  it.each(forms)(
    'wherever and however often they came, each call of a conversation in the form %s has one behind it',
    (form) => {
      const moves = fc.array(fc.record({ by: fc.nat(6), isTwice: fc.boolean(), isUnknown: fc.boolean() }), {
        minLength: 1,
      })
      fc.assert(
        fc.property(conversations(form, false), moves, ({ given }, moved) => {
          const entries = stored(given).flatMap((entry, at): { entry: Outgoing; place: number }[] => {
            const { by, isTwice, isUnknown } = moved[at % moved.length] ?? { by: 0, isTwice: false, isUnknown: false }
            if (entry.type !== 'tool_result') return [{ entry, place: at }]
            const first: Outgoing = isUnknown ? { ...entry, outcome: 'unknown' } : entry
            const again = { entry: { ...entry, version: 1000 + at }, place: at + by + 0.6 }
            return [{ entry: first, place: at + by + 0.5 }, ...(isTwice ? [again] : [])]
          })
          const shuffled = entries.sort((one, other) => one.place - other.place).map(({ entry }) => entry)
          const ordered = withUnknownOutcomes(shuffled)
          expect(withUnknownOutcomes(ordered)).toEqual(ordered)
          for (const other of forms) {
            const { messages, left_out } = writeMessages(shuffled, other)
            expectAnswered(messages)
            const repeated = left_out.filter(({ what }) => what.startsWith('another result'))
            const all = places(messages).flatMap(({ results }) => results)
            expect(new Set(all).size).toBe(all.length)
            const results = shuffled.filter(({ type }) => type === 'tool_result')
            expect(repeated.length).toBe(results.length - new Set(results.map(({ call }) => call)).size)
          }
        }),
        runs,
      )
    },
  )

  it('that came late, or one message each, stand together behind their calls', () => {
    const given = [
      use('a', 'b', 'c'),
      user(result('a')),
      user(result('b'), text),
      { role: 'user', content: 'so?' },
      user(result('c')),
    ]
    const { messages, left_out } = writeMessages(stored(given), 'anthropic')
    expect(messages).toEqual([given[0], user(result('a'), result('b'), result('c'), text), given[3]])
    expect(left_out).toEqual([])
    expect(writeMessages(stored(given), 'openai').messages.map(({ role }) => role)).toEqual([
      'assistant',
      'tool',
      'tool',
      'tool',
      'user',
      'user',
    ])
  })

  it('of one call count once: what the tool said before that nobody knew', () => {
    const [called, first] = stored([use('a'), user(result('a'))]) as [Outgoing, Outgoing]
    const unknown: Outgoing = { ...first, message: {}, outcome: 'unknown', version: 2 }
    const late = { ...first, version: 3 }
    expect(writeMessages([called, unknown, late], 'anthropic')).toEqual({
      messages: [use('a'), user(result('a'))],
      left_out: [{ sequence_number: 2, what: 'another result of the call "a"' }],
    })
    expect(writeMessages([called, unknown], 'openai').messages[1]?.content).toBe('outcome unknown: interrupted')
  })

  it('that were one message with what the user said are parts of one again', () => {
    const read = readMessage({ role: 'user', content: [text, result('a'), result('b'), text], extra: 1 })
    expect(read).toMatchObject([
      { type: 'user_message', message: { extra: 1 } },
      { type: 'tool_result', call: 'a', joined: true },
      { type: 'tool_result', call: 'b', joined: true },
      { type: 'user_message', joined: true, message: { role: 'user', content: [text] } },
    ])
    const alone = { content: [result('a')], role: 'user', extra: 1 }
    expect(JSON.stringify(writeMessages(stored([use('a'), alone]), 'anthropic').messages[1])).toBe(
      JSON.stringify(alone),
    )
  })

  it('that are given by their role take the form of the conversation', () => {
    const given = { role: 'tool', content: 'done', tool_call_id: 'a' }
    expect(readMessage(given)).toEqual([{ type: 'tool_result', form: 'openai', message: given, call: 'a', calls: [] }])
    expect(readMessage({ ...given, form: 'anthropic' })).toMatchObject([
      { form: 'anthropic', message: { type: 'tool_result', tool_use_id: 'a', content: 'done' } },
    ])
    expect(readMessage({ ...given, form: 'responses' })).toMatchObject([
      { form: 'responses', message: { type: 'function_call_output', call_id: 'a', output: 'done' } },
    ])
    expect(formOf(stored([use('a'), given]))).toBe('anthropic')
  })
})

describe('a message', () => {
  it('says where its calls are', () => {
    const calls = [{ id: 'x', name: 'read', arguments: { a: 1 } }]
    expect(readMessage({ role: 'assistant', content: '', tool_calls: calls })).toMatchObject([
      {
        form: 'openai',
        calls: [{ id: 'x', name: 'read', at: 0 }],
        message: { tool_calls: [{ id: 'x', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }] },
      },
    ])
    const items = [{ type: 'reasoning' }, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }]
    expect(readMessage({ role: 'assistant', content: items })).toMatchObject([
      { calls: [{ id: 'c', name: 'f', at: 1 }] },
    ])
  })

  it('of a role and a text belongs to no form', () => {
    expect(readMessage({ role: 'user', content: 'hi', form: 'anthropic' })).toEqual([
      { type: 'user_message', message: { role: 'user', content: 'hi' }, calls: [] },
    ])
  })

  it('that stands for compacted ones is said by the user; several systems are blocks of one', () => {
    const [first, second, third] = stored([
      { role: 'system', content: 'be brief' },
      { role: 'developer', content: 'be kind' },
      { role: 'assistant', content: 'what happened' },
    ]) as [Outgoing, Outgoing, Outgoing]
    expect(writeMessages([first, second, { ...third, summary: true }], 'anthropic')).toEqual({
      system: [
        { type: 'text', text: 'be brief' },
        { type: 'text', text: 'be kind' },
      ],
      messages: [{ role: 'user', content: 'what happened' }],
      left_out: [],
    })
  })

  it('has a plain text', () => {
    const given = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'one' },
        { type: 'tool_use', id: 'a', name: 'run', input: { command: 'ls -la' } },
      ],
    }
    expect(textOf(stored([given])[0] as Outgoing, 12)).toBe('one\nrun({"command":"…)')
  })

  it.each<[JsonObject, string]>([
    [{ content: 'x' }, '$.role'],
    [{ role: 'robot', content: 'x' }, '$.role'],
    [{ role: 'user', content: 5 }, '$.content'],
    [{ role: 'user', content: ['x'] }, '$.content[0]'],
    [{ role: 'user', content: '' }, '$.content'],
    [{ role: 'user' }, '$.content'],
    [{ role: 'assistant', content: [] }, '$.content'],
    [{ role: 'assistant', content: null, tool_calls: [] }, '$.content'],
    [{ role: 'user', content: 'x', tool_calls: [{ id: 'a', name: 'b' }] }, '$.tool_calls'],
    [{ role: 'assistant', content: 'x', tool_calls: {} }, '$.tool_calls'],
    [{ role: 'assistant', content: 'x', tool_calls: [{ name: 'b' }] }, '$.tool_calls[0]'],
    [{ role: 'assistant', content: 'x', tool_calls: [{ id: 'a' }] }, '$.tool_calls[0]'],
    [
      {
        role: 'assistant',
        content: 'x',
        tool_calls: [
          { id: 'a', name: 'b' },
          { id: 'a', name: 'b' },
        ],
      },
      '$.tool_calls[1]',
    ],
    [{ role: 'assistant', content: [{ type: 'tool_use', name: 'x', input: {} }] }, '$.content[0]'],
    [{ role: 'user', content: [{ type: 'tool_result', content: 'x' }] }, '$.content[0].tool_use_id'],
    [{ role: 'tool', content: 'x' }, '$.tool_call_id'],
    [{ type: 'function_call_output', output: 'x' }, '$.call_id'],
    [{ role: 'assistant', content: [{ type: 'function_call', call_id: 'x' }] }, '$.content[0]'],
    [{ role: 'user', content: 'x', form: 'gemini' }, '$.form'],
  ])('%j is refused with its path', (given, path) => {
    expect(readMessage(given as never)).toMatchObject({ code: 'invalid_input', details: { path } })
  })
})
