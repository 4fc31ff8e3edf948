// The stream on which a client over HTTP is told what it did not ask for.
import { onTestFinished } from 'vitest'
import type { HttpPeer } from './http-peer.ts'
import type { Address } from './place.ts'

/** The messages of a stream as they come; it is left at the end of the test, if not before. */
export async function listen(
  peer: HttpPeer,
  address: Address,
): Promise<{ next(): Promise<string>; leave(): void; status: number }> {
  const closing = new AbortController()
  onTestFinished(() => closing.abort())
  const response = await fetch(new URL('/mcp', address.url), {
    headers: {
      authorization: `Bearer ${address.token}`,
      accept: 'text/event-stream',
      'mcp-session-id': peer.id ?? '',
    },
    signal: closing.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async () => {
    const { value = '', done } = (await reader?.read()) ?? { done: true }
    return done ? 'the end' : value
  }
  return { next, leave: () => closing.abort(), status: response.status }
}
