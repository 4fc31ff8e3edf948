// Clients that ask a store for this and that at the same time, and a record of what they asked and saw. A call is on
// record before it is made: the record of a client that was killed shows what may or may not have happened.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { type Cairn, CairnRefusal, type RefusalCode } from '../../src/index.ts'
import { type Asked, never, type Recorded, type Seen } from './checker.ts'
import { type Random, randomOf } from './random.ts'

export interface PlayTask {
  readonly do: 'play'
  readonly session: string
  /** Where the record goes. */
  readonly file: string
  readonly seed: number
  readonly clients: number
  readonly operationsOfClient: number
}

/** All that clients need: the library has it, and so has a client of a server. */
type Player = Pick<Cairn, 'state'>

const numberKeys = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']
const listKeys = ['list0', 'list1']

/** Every third write comes in a batch with one more to this key, so that its request makes two events. */
const besideKey = 'beside'
const pairEvery = 3

const numberDeeds = [
  ['get', 30],
  ['set', 15],
  ['compare-and-swap', 25],
  ['increment', 20],
  ['delete', 10],
] as const
const listDeeds = [
  ['get', 40],
  ['append', 45],
  ['delete', 15],
] as const

/** Whether these took effect is not known, or need not be known: the checker takes either. */
const UNKNOWN: readonly RefusalCode[] = ['busy', 'outcome_unknown', 'unavailable']

type Line = ['ask', id: string, time: number, Asked] | ['ack', id: string, time: number, Seen]

/** The clock that all processes of the machine have in common. */
function now(): number {
  return Number(process.hrtime.bigint())
}

/** What a client asks next; `latest` has the versions it knows of. */
function choose(random: Random, value: number, latest: ReadonlyMap<string, number>): Asked {
  if (random.below(10) < 2) {
    const key = listKeys[random.below(listKeys.length)] as string
    const deed = random.weighted(listDeeds)
    return deed === 'append' ? { key, do: deed, items: [value] } : { key, do: deed }
  }
  const key = numberKeys[random.below(numberKeys.length)] as string
  const deed = random.weighted(numberDeeds)
  if (deed === 'set') return { key, do: deed, value }
  if (deed === 'compare-and-swap') return { key, do: 'set', value, version: latest.get(key) ?? 0 }
  return deed === 'increment' ? { key, do: deed, delta: 1 + random.below(9) } : { key, do: deed }
}

interface Call {
  readonly session: string
  readonly asked: Asked
  readonly request_id: string
  readonly isPair: boolean
}

interface Answer {
  readonly value?: Seen
  readonly length?: number
  readonly version: number
}

async function answerTo(cairn: Player, { session, asked, request_id, isPair }: Call): Promise<Answer> {
  const { do: deed, ...rest } = asked
  if (deed === 'get') return cairn.state.get({ session, ...rest }) as never
  if (!isPair) return cairn.state[deed]({ session, request_id, ...rest } as never) as never
  const { version, ...meant } = rest as { version?: number }
  const operation = { op: deed, ...meant, ...(version !== undefined && { if_match: version }) }
  const operations = [operation, { op: 'increment', key: besideKey }] as never
  const { results } = await cairn.state.batch({ session, request_id, operations })
  return results[0] as never
}

async function perform(cairn: Player, call: Call): Promise<Seen> {
  const deed = call.asked.do
  try {
    const { value, length, version } = await answerTo(cairn, call)
    if (deed === 'delete') return { version }
    return (deed === 'append' ? { length, version } : { value, version }) as Seen
  } catch (error) {
    if (error instanceof CairnRefusal && error.code === 'key_not_found') return 'absent'
    if (error instanceof CairnRefusal && error.code === 'version_conflict') {
      return { conflict: Number(error.details.current_version) }
    }
    throw error
  }
}

function versionIn(seen: Seen): number {
  if (seen === 'absent') return 0
  return 'conflict' in seen ? seen.conflict : seen.version
}

/** Plays all clients of one process; `asked` is called before each call. */
export async function play(cairn: Player, task: PlayTask, asking: (count: number) => void): Promise<void> {
  const file = openSync(task.file, 'a')
  const write = (line: Line) => writeSync(file, `${JSON.stringify(line)}\n`)
  let count = 0
  const clients = Array.from({ length: task.clients }, async (_, client) => {
    const random = randomOf(task.seed * 100 + client)
    const latest = new Map<string, number>()
    for (let at = 0; at < task.operationsOfClient; at++) {
      const id = `${client}.${at}`
      const asked = choose(random, task.seed * 1_000_000 + client * 1000 + at, latest)
      write(['ask', id, now(), asked])
      asking(++count)
      const request_id = `${task.session} ${task.seed} ${id}`
      const call = { session: task.session, asked, request_id, isPair: random.below(pairEvery) === 0 }
      const seen = await perform(cairn, call).catch(unlessUnknown)
      if (seen === undefined) continue
      write(['ack', id, now(), seen])
      latest.set(asked.key, versionIn(seen))
    }
  })
  await Promise.all(clients)
  closeSync(file)
}

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof CairnRefusal && UNKNOWN.includes(error.code))) throw error
}

/** Reads the record of one process back. */
export function recordIn(file: string): Recorded[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  const asks = new Map<string, Recorded>()
  for (const [what, id, time, told] of lines.map((line) => JSON.parse(line) as Line)) {
    const asked = asks.get(id)
    if (what === 'ask') asks.set(id, { asked: told, call: time, ret: never })
    else if (asked) asks.set(id, { ...asked, ret: time, seen: told })
  }
  return [...asks.values()]
}
