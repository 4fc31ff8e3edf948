// A process that wants a lease again and again, and leaves marks in the state while it has it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cairn } from '../../src/index.ts'
import { outcomeOf, serve } from './served.ts'

export interface ContendTask {
  readonly session: string
  readonly ttlMs: number
  /** How often it wants to have had the lease. */
  readonly rounds: number
  /** Each time it has had the lease so often it does not give it back but lets it run out. */
  readonly abandonEach: number
}

/** One time with the lease: moments are of the machine's monotonic clock, which all processes share. */
export interface Held {
  readonly epoch: number
  /** Before the claim was sent, and after it was answered. */
  readonly askedMs: number
  readonly answeredMs: number
  readonly released: boolean
  /** It was too slow and lost the lease before it was done with it. */
  readonly fenced: boolean
}

const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6
const name = 'the one'
const epochOf = (token: string) => Number(token.split('.')[0])

async function contend(cairn: Cairn, { session, ttlMs, rounds, abandonEach }: ContendTask): Promise<Held[]> {
  const held: Held[] = []
  while (held.length < rounds) {
    const askedMs = monotonicMs()
    const claimed = await outcomeOf(cairn.lease.claim({ session, name, ttl: `${ttlMs}ms` }))
    const answeredMs = monotonicMs()
    if (claimed.refused === 'held_by_other') {
      await sleep(1 + Math.random() * 4)
      continue
    }
    if (claimed.answer === undefined) throw new Error(`a claim was refused: ${claimed.refused}: ${claimed.message}`)
    const token = claimed.answer.token as string
    const isLast = (held.length + 1) % abandonEach === 0
    held.push({ epoch: epochOf(token), askedMs, answeredMs, ...(await work(cairn, session, token, isLast)) })
  }
  return held
}

/** Begins, ends and gives back; whatever is refused as fenced was too late. */
async function work(cairn: Cairn, session: string, token: string, abandons: boolean) {
  const fence = `${name}:${token}`
  const epoch = epochOf(token)
  const mark = (at: string) => cairn.state.append({ session, key: 'marks', items: [{ at, epoch }], fence })
  const steps = [() => mark('begin'), () => mark('end'), () => cairn.lease.release({ session, name, token })]
  for (const step of abandons ? steps.slice(0, 2) : steps) {
    const { refused } = await outcomeOf(step())
    if (refused === 'fenced') return { released: false, fenced: true }
    if (refused !== undefined) throw new Error(`a step was refused: ${refused}`)
  }
  return { released: !abandons, fenced: false }
}

await serve({ contend })
