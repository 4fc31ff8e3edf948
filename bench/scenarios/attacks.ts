import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Attack, Attacked, AttackName } from '../attacker.ts'
import type { Load, Loaded } from '../load.ts'
import { type Measured, spreadOf } from '../measure.ts'
import { atMost, type Context, type Scenario } from '../scenario.ts'
import { incrementRequest, serveStore } from '../served.ts'
import { startWorker } from '../worker.ts'

/** How many times as long others may wait while one does its worst, and how long at all; and what the server may take for it. */
const timesMax = 5
const msMax = 500
const megabytesMax = 512
const diskMegabytesMax = 4 * 1024

/** What others ask for, a second, on so many connections. */
const pace = 60
const connections = 32

const attacks: Readonly<Record<AttackName, string>> = {
  merges: 'batches of merges into one value of 900 kB',
  sets: 'batches that add to a set of 20 000, each with a request id',
  unread: '100 connections that ask for a state of 20 MB and read nothing',
  state: 'reads and differences of a state of 23 MB of small objects',
  tools: 'a state of 8 MB read by tool calls',
  waits: '10 000 waits',
  feeds: '1 000 feeds that are not read, while large values are written',
  bodies: 'bodies of 4 MiB in a loop',
  schemas: 'schemas with patterns that take many steps',
  paths: 'patches of deep paths',
  sessions: 'children made as fast as they can be',
  blobs: 'blobs of 8 MiB in a loop',
  unknown: 'sessions that do not exist',
  leases: 'leases claimed again and again',
}

interface Cost {
  readonly name: string
  readonly msMax: number
  readonly megabytes: number
  readonly diskMegabytes: number
}

/** What each attack of this run cost, for the figures about all of them. */
const costs: Cost[] = []

/** The most memory that a process ever had. */
function peakMegabytes(pid: number): number {
  return (Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e6
}

function diskMegabytes(home: string): number {
  return readdirSync(home).reduce((sum, name) => sum + statSync(join(home, name)).size, 0) / 1e6
}

/** The work of one agent before and while another attacks, each in a root of its own. */
async function attacked(context: Context, name: AttackName): Promise<Measured> {
  const home = context.folder()
  const { url, pid, call } = await serveStore(context, home)
  const load = await startWorker<Load, Loaded>(context, 'load')
  const attack = await startWorker<Attack, Attacked>(context, 'attacker')
  const newAgent = async () => {
    const { session_id: session } = await call<{ session_id: string }>('session.create', { topic: name })
    const { token } = await call<{ token: string }>('token.create', { kind: 'agent', session })
    return { session, token }
  }
  const [other, hostile] = [await newAgent(), await newAgent()]
  const headers = { authorization: `Bearer ${other.token}` }
  const requests = Array.from({ length: connections }, (_, at) => incrementRequest(other.session, `n${at}`, headers))
  const work = { url, requests, pace, mayFail: true }
  await attack({ name, url, ...hostile })
  await load({ ...work, ms: 200 })
  const before = await load({ ...work, ms: context.quick ? 500 : 1000 })
  const ms = context.quick ? 1000 : 2000
  const [during, { answers }] = await Promise.all([load({ ...work, ms }), attack({ name, url, ...hostile, ms })])
  const cost = { name, msMax: during.msMax, megabytes: peakMegabytes(pid), diskMegabytes: diskMegabytes(home) }
  costs.push(cost)
  const said = Object.entries(answers).map(([status, count]) => `${count} × ${status}`)
  const figures = `longest ${cost.msMax.toFixed(0)} ms, memory ${cost.megabytes.toFixed(0)} MB, disk ${cost.diskMegabytes.toFixed(0)} MB`
  context.say(`${figures}, ${during.failed} of the others' refused; attack: ${said.join(', ') || 'nothing answered'}`)
  return {
    ours: spreadOf([during.msP99]),
    bare: spreadOf([before.msP99]),
    ratio: spreadOf([during.msP99 / before.msP99]),
  }
}

const about = { store: 'sqlite', skip: () => (process.platform === 'linux' ? undefined : 'needs /proc') } as const

function worst(limit: number, of: (cost: Cost) => number): Measured {
  const figures = costs.map(of)
  const most = Math.max(...figures)
  return { ours: spreadOf([most]), bare: spreadOf([limit]), ratio: spreadOf([most / limit]) }
}

function ofAll(name: string, what: string, unit: 'ms' | 'MB', limit: number, of: (cost: Cost) => number): Scenario {
  return {
    ...about,
    name: `attack-all-${name}`,
    about: `${what}, of all attacks of this run`,
    against: 'its limit',
    unit,
    target: { of: 'ours', is: 'at most', limit },
    skip: () => (costs.length === 0 ? 'no attack was run' : undefined),
    run: async () => worst(limit, of),
  }
}

export const attackers: readonly Scenario[] = [
  ...(Object.keys(attacks) as AttackName[]).map((name) => ({
    ...about,
    name: `attack-${name}`,
    about: `p99 of others' increments during ${attacks[name]}`,
    against: 'the same without',
    unit: 'ms' as const,
    target: atMost(timesMax),
    run: (context: Context) => attacked(context, name),
  })),
  ofAll('longest', "the longest of others' increments", 'ms', msMax, (cost) => cost.msMax),
  ofAll('memory', 'most memory of the server', 'MB', megabytesMax, (cost) => cost.megabytes),
  ofAll('disk', 'most of the disk', 'MB', diskMegabytesMax, (cost) => cost.diskMegabytes),
]
