import type { Request } from '../connection.ts'
import { newRoot } from '../library.ts'
import { interleaved, type Measured, rateOfCallers } from '../measure.ts'
import { type RedisConnection, startRedis } from '../redis.ts'
import { atLeast, type Context, manyCallers, type Scenario } from '../scenario.ts'
import { freePort, missingTool, startTool } from '../tool.ts'
import { servedRoot } from './server.ts'

const keys = Array.from({ length: manyCallers }, (_, caller) => `counter-${100 + caller}`)

/** Puts, as etcd has no increment: it is spared the reading. */
async function againstEtcd(context: Context): Promise<Measured> {
  const [client, peer] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`]
  const clients = ['--listen-client-urls', client, '--advertise-client-urls', client]
  const peers = [
    '--listen-peer-urls',
    peer,
    '--initial-advertise-peer-urls',
    peer,
    '--initial-cluster',
    `default=${peer}`,
  ]
  await startTool(context, 'etcd', ['--data-dir', context.folder(), ...clients, ...peers], async () => {
    const { health } = (await (await fetch(new URL('/health', client))).json()) as { health: string }
    if (health !== 'true') throw new Error('etcd is not up yet')
  })
  const root = await servedRoot(context)
  const inBase64 = (text: string) => Buffer.from(text).toString('base64')
  const puts = keys.map((key): Request => {
    const body = JSON.stringify({ key: inBase64(key), value: inBase64('12345') })
    return { method: 'POST', path: '/v3/kv/put', headers: {}, body }
  })
  return interleaved(
    context.rounds,
    async () => (await root.load(root.increments)).rate,
    async () => (await root.load({ url: client, requests: puts, ms: context.roundMs })).rate,
  )
}

async function againstRedis(context: Context, connections: number): Promise<Measured> {
  const redis = await startRedis(context, connections)
  const { cairn, session } = await newRoot(context)
  const keyOf = (caller: number) => keys[caller] as string
  const connectionOf = (caller: number) => redis[caller % connections] as RedisConnection
  const { rounds, roundMs } = context
  return interleaved(
    rounds,
    () => rateOfCallers(roundMs, manyCallers, (caller) => cairn.state.increment({ session, key: keyOf(caller) })),
    () => rateOfCallers(roundMs, manyCallers, (caller) => connectionOf(caller).increment(keyOf(caller))),
  )
}

const redis = {
  about: 'durable increments through the library, 64 callers, a key each',
  store: 'sqlite',
  unit: '/s',
  target: atLeast(1),
  skip: () => missingTool('redis-server'),
} as const

export const tools: readonly Scenario[] = [
  {
    name: 'server-etcd',
    about: 'durable increments over HTTP, 64 connections, a key each',
    against: 'puts in etcd, through its HTTP gateway',
    store: 'sqlite',
    unit: '/s',
    target: atLeast(1.3),
    skip: () => missingTool('etcd'),
    run: againstEtcd,
  },
  {
    ...redis,
    name: 'redis-64-sockets',
    against: 'INCR in Redis with appendfsync always, driven from Node, a socket each',
    run: (context) => againstRedis(context, manyCallers),
  },
  {
    ...redis,
    name: 'redis-one-socket',
    against: 'the same with one socket for all',
    run: (context) => againstRedis(context, 1),
  },
]
