// A process that asks a server, so that client and server do not share an event loop. Each message is one load.
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, type Request, wireOf } from './connection.ts'
import { rateOfCallers } from './measure.ts'
import { answerTasks } from './worker.ts'

export interface Load {
  readonly url: string
  /** One connection for each. */
  readonly requests: readonly Request[]
  readonly ms: number
  /** Requests a second of all connections; as fast as they are answered without it. */
  readonly pace?: number
  /** Answers that are no success count too. */
  readonly mayFail?: boolean
}

export interface Loaded {
  /** Answers a second. */
  readonly rate: number
  /** From when it was due until it was answered; only of a paced load. */
  readonly msMedian: number
  readonly msP99: number
  readonly msMax: number
  readonly failed: number
}

interface Asking {
  readonly connection: Connection
  readonly wire: string
}

async function perform({ url, requests, ms, pace, mayFail = false }: Load): Promise<Loaded> {
  const asking = await Promise.all(
    requests.map(async (request) => ({ connection: await Connection.open(url), wire: wireOf(url, request) })),
  )
  try {
    if (pace !== undefined) return await paced(asking, ms, pace, mayFail)
    const ask = (caller: number) => (asking[caller] as Asking).connection.ask((asking[caller] as Asking).wire)
    return { rate: await rateOfCallers(ms, asking.length, ask), msMedian: 0, msP99: 0, msMax: 0, failed: 0 }
  } finally {
    for (const { connection } of asking) connection.close()
  }
}

/** What is due goes to a connection that is free, or waits for one: waiting counts. */
async function paced(asking: readonly Asking[], ms: number, pace: number, mayFail: boolean): Promise<Loaded> {
  const took: number[] = []
  let failed = 0
  const free = [...asking]
  const due: number[] = []
  const sent: Promise<void>[] = []
  const send = async ({ connection, wire }: Asking, since: number): Promise<void> => {
    await connection.ask(wire).catch((error: unknown) => {
      if (!mayFail) throw error
      failed += 1
    })
    took.push(performance.now() - since)
    const next = due.shift()
    if (next === undefined) free.push({ connection, wire })
    else await send({ connection, wire }, next)
  }
  const start = performance.now()
  for (let made = 0; performance.now() < start + ms; await sleep(1)) {
    const now = performance.now()
    for (; made < ((now - start) * pace) / 1000; made++) {
      const one = free.shift()
      if (one === undefined) due.push(now)
      else sent.push(send(one, now))
    }
  }
  await Promise.all(sent)
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.floor(took.length * share)] ?? Number.NaN
  const rate = (took.length * 1000) / (performance.now() - start)
  return { rate, msMedian: at(0.5), msP99: at(0.99), msMax: took.at(-1) ?? Number.NaN, failed }
}

answerTasks(perform)
