// Clients over HTTP: what waits to be told to one that does not listen, and which of too many goes.
import { describe, expect, it } from 'vitest'
import { greetedHttpPeer, type HttpPeer } from './http-peer.ts'
import { listen } from './listening.ts'
import { place } from './place.ts'

/** So many clients one caller may have at a time. */
const clientsMax = 256

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('what waits to be told', () => {
  const here = place({ served: true })

  it('is told once, to whoever listens first', async () => {
    const { server, cairn, newRoot } = here()
    const session = await newRoot()
    const [peer, other] = [await greetedHttpPeer(server), await greetedHttpPeer(server)]
    const [a, b] = ['a', 'b'].map((key) => `cairn://roots/${session}/state/${key}`)
    for (const uri of [a, b]) await peer.ask('resources/subscribe', { uri })
    await other.ask('resources/subscribe', { uri: a })
    const beside = await listen(other, server)
    await cairn.state.set({ session, key: 'a', value: 1 })
    // Who began to follow later is told later: by then it waits for the first one.
    expect(await beside.next()).toContain(a)
    const first = await listen(peer, server)
    expect(await first.next()).toContain(a)
    const second = await listen(peer, server)
    expect(await first.next()).toBe('the end')
    await cairn.state.set({ session, key: 'b', value: 1 })
    const told = await second.next()
    expect(told).toContain(b)
    expect(told).not.toContain(a)
    // The same once more, after nobody listened for a while.
    second.leave()
    const third = await listen(peer, server)
    await cairn.state.set({ session, key: 'a', value: 2 })
    const again = await third.next()
    expect(again).toContain(a)
    expect(again).not.toContain(b)
  })
})

describe('too many clients of one caller', () => {
  const here = place({ served: true })

  it('let the one go that was silent longest, unless it listens or is busy', async () => {
    const { server, cairn, newRoot } = here()
    const session = await newRoot()
    const peers: HttpPeer[] = []
    const begin = async () => peers.push(await greetedHttpPeer(server, { 'x-agent-session-id': session }))
    const isThere = async (peer: HttpPeer) => (await peer.send('POST', ping)).status === 200
    for (let at = 0; at < 3; at++) await begin()
    const [listening, busy, used] = peers as [HttpPeer, HttpPeer, HttpPeer]
    const line = await listen(listening, server)
    const waiting = busy.call('state_wait', { key: 'late', timeout: '50s' })
    while (peers.length < clientsMax) await begin()
    expect(await isThere(used)).toBe(true)
    // Of those that neither listen nor wait, the ones from the fourth on have been silent longest, in their order.
    for (let more = 0; more < 3; more++) await begin()
    const there: boolean[] = []
    for (const peer of peers) there.push(await isThere(peer))
    expect(there.flatMap((each, at) => (each ? [] : [at]))).toEqual([3, 4, 5])
    await cairn.state.set({ session, key: 'late', value: 'now' })
    expect((await waiting).document.value).toBe('now')
    await listening.ask('resources/subscribe', { uri: `cairn://roots/${session}/state` })
    await cairn.state.set({ session, key: 'a', value: 1 })
    expect(await line.next()).toContain(`cairn://roots/${session}/state`)
  })
})
