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
  const next = async (): Promise<string> => {
    const { value = '', done } = (await reader?.read()) ?? { done: true }
    // A line that nothing was told on for a while has a sign of life.
    const said = value.replaceAll(': heartbeat\n\n', '')
    if (done) return 'the end'
    return said === '' ? next() : said
  }
  return { next, leave: () => closing.abort(), status: response.status }
}
