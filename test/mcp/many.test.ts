// Many calls and many clients at once: none gets the answer of another, none waits for another.
import { describe, expect, it } from 'vitest'
import { greetedHttpPeer } from './http-peer.ts'
import type { Called } from './peer.ts'
import { greetedPeer } from './peer.ts'
import { type Place, place } from './place.ts'

interface Client {
  call(name: string, given?: object, id?: string | number): Promise<Called>
}

interface Way {
  readonly name: string
  readonly served: boolean
  /** How many there are at once; each that has the store open by itself is a process that holds others up. */
  readonly clients: number
  connect(here: Place, session: string): Promise<Client>
}

const program: Way['connect'] = ({ sandbox }, session) => greetedPeer(sandbox, session)

const ways: readonly Way[] = [
  { name: 'over stdio', served: false, clients: 6, connect: program },
  { name: 'over stdio, through a server', served: true, clients: 20, connect: program },
  {
    name: 'over HTTP',
    served: true,
    clients: 20,
    connect: ({ server }, session) => greetedHttpPeer(server, { 'x-agent-session-id': session }),
  },
]

describe.each(ways)('$name', ({ served, clients: size, connect }) => {
  const here = place({ served })

  it('two hundred calls at once are each done once and answered', async () => {
    const session = await here().newRoot()
    const client = await connect(here(), session)
    const calls = Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0
        ? client.call('state_increment', { key: 'n' })
        : client.call('state_append', { key: 'list', items: `[${at}]` }),
    )
    const answers = await Promise.all(calls)
    const seen = (name: 'value' | 'length') => answers.flatMap(({ document }) => document[name] ?? [])
    const upTo100 = Array.from({ length: 100 }, (_, at) => at + 1)
    expect(seen('value').sort((a, b) => a - b)).toEqual(upTo100)
    expect(seen('length').sort((a, b) => a - b)).toEqual(upTo100)
    const { state } = await here().cairn.state.all({ session })
    expect(state).toMatchObject({ n: 100, list: expect.any(Array) })
    expect([...(state.list as number[])].sort((a, b) => a - b)).toEqual(upTo100.map((at) => 2 * at - 1))
  })

  it('threat 14 two clients with the same ids, interleaved, each get their own answers', async () => {
    const sessions = [await here().newRoot(), await here().newRoot()]
    const clients = await Promise.all(sessions.map((session) => connect(here(), session)))
    const answers = await Promise.all(
      clients.flatMap((client, which) =>
        Array.from({ length: 50 }, async (_, id) => {
          const { document } = await client.call('state_set', { key: `k${id}`, value: `"${which}-${id}"` }, id)
          const { document: read } = await client.call('state_get', { key: `k${id}` }, `get-${id}`)
          return [document.key, document.value, read.value, read.updated_by]
        }),
      ),
    )
    const expected = sessions.flatMap((session, which) =>
      Array.from({ length: 50 }, (_, id) => [`k${id}`, `${which}-${id}`, `${which}-${id}`, session]),
    )
    expect(answers).toEqual(expected)
  })

  it(`of ${size} clients some wait for a key, and the others go on`, async () => {
    const session = await here().newRoot()
    const clients = await Promise.all(Array.from({ length: size }, () => connect(here(), session)))
    const waiting = Math.floor(size / 2)
    const [waiters, others] = [clients.slice(0, waiting), clients.slice(waiting)]
    const waits = waiters.map((client) => client.call('state_wait', { key: 'go', timeout: '50s' }))
    const woken = new Set<number>()
    waits.forEach((wait, at) => void wait.then(() => woken.add(at)))
    const done = await Promise.all(
      others.map(async (client) => {
        for (let times = 0; times < 10; times++) {
          const { isError, document } = await client.call('state_increment', { key: 'n' })
          expect(isError, JSON.stringify(document)).toBe(false)
        }
        return client.call('state_get', { key: 'n' })
      }),
    )
    expect(woken.size).toBe(0)
    expect(Math.max(...done.map(({ document }) => document.value))).toBe(others.length * 10)
    // Those who wait in it do not keep a client from its other calls.
    const beside = await Promise.all(waiters.map((client) => client.call('state_get', { key: 'n' })))
    expect(new Set(beside.map(({ document }) => document.value))).toEqual(new Set([others.length * 10]))
    await others[0]?.call('state_set', { key: 'go', value: '"now"' })
    expect((await Promise.all(waits)).map(({ document }) => document.value)).toEqual(waiters.map(() => 'now'))
  })
})
