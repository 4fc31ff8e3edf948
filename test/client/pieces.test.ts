// What a server sends may come in any pieces: a character, a line or a message is read whole wherever it is cut.
import { expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { messagesIn, type Sent } from '../../src/client/server-sent-events.ts'
import { sandbox } from '../cli/sandbox.ts'
import { startedIn } from './started.ts'

const cairn = sandbox()

/** Characters of one to four bytes, one that is made of several, and what would end a line. */
const value = { текст: 'a ü € 😀 👩‍👩‍👧 é \u2028 "data: \\n\n\n"', empty: '' }

it('an event that comes byte by byte is the one that was sent', async () => {
  const { cutting, token, direct, session } = await startedIn(cairn)
  const client = connect({ url: cutting.url, token, session })
  // The first is asked where the log ends.
  cutting.plan.push('crumbs', 'crumbs')
  const events = client.follow({ since: 1 })
  const keys = ['ключ', 'key', '鍵']
  for (const key of keys) await direct.state.set({ session, key, value })
  for (const key of keys) {
    const { value: event } = await events.next()
    expect(event).toMatchObject({ key, data: { value } })
  }
  expect(cutting.plan).toEqual([])
  expect(cutting.asked.filter((path) => path.startsWith('/events'))).toHaveLength(1)
  await client.close()
})

it('an answer that comes byte by byte is the one that was given', async () => {
  const { cutting, token, session } = await startedIn(cairn)
  const client = connect({ url: cutting.url, token, session })
  cutting.plan.push('crumbs', 'crumbs')
  expect(await client.state.set({ key: 'ключ', value })).toMatchObject({ value })
  expect(await client.state.get({ key: 'ключ' })).toMatchObject({ key: 'ключ', value })
})

it('messages are the same wherever the stream is cut into two', async () => {
  const text = ': open\n\nid: 1\ndata: ü€\n\n: beat\n\nevent: end\ndata: 😀\n\ndata: not whole'
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at <= bytes.length; at++) {
    const read: Sent[] = []
    const pieces = [bytes.slice(0, at), bytes.slice(at)].filter(({ length }) => length > 0)
    for await (const message of messagesIn(streamOf(pieces), 60_000)) read.push(message)
    expect(read, `cut at ${at}`).toEqual([
      { kind: 'message', data: 'ü€' },
      { kind: 'end', data: '😀' },
    ])
  }
})

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}
