// Holders of leases that are processes: one that slept through its time, and two whose clocks jump.
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/index.ts'
import { lastSeq, newRoot } from '../setup/roots.ts'
import { shiftedBy, shiftedClock } from '../setup/shifted-clock.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import type { ContendTask, Held } from './contender.ts'
import { type Program, startProgram } from './program.ts'

const program = 'test/leases/contender.ts'
const rounds = process.env.CAIRN_LONG === undefined ? 120 : 1000
const ttlMs = 400
const hours = 3600

interface Logged {
  readonly seq: number
  readonly at: string
  readonly type: string
  readonly data: { readonly epoch: number; readonly items?: readonly { readonly at: string; readonly epoch: number }[] }
}

async function wholeLog(cairn: Cairn): Promise<Logged[]> {
  const all: Logged[] = []
  const end = await lastSeq(cairn)
  while (all.length < end) {
    const { events } = await cairn.log.list({ since: all.length, limit: 1000 })
    all.push(...(events as unknown as Logged[]))
  }
  return all
}

/** What in a log is not as it has to be when nobody works without the lease. */
function overlaps(log: readonly Logged[]): string[] {
  const problems: string[] = []
  let last = 0
  let holder: number | undefined
  for (const { seq, type, data } of log) {
    const tell = (what: string) => problems.push(`event ${seq}: ${what}`)
    if (type === 'lease_claimed') {
      if (holder !== undefined) tell(`${data.epoch} claimed while ${holder} held`)
      if (data.epoch !== last + 1) tell(`epoch ${data.epoch} after ${last}`)
      last = data.epoch
      holder = last
    } else if (type === 'lease_lost' || type === 'lease_released') {
      if (data.epoch !== holder) tell(`${data.epoch} ended while ${holder} held`)
      holder = undefined
    }
    for (const mark of data.items ?? []) if (mark.epoch !== holder) tell(`a mark of ${mark.epoch} under ${holder}`)
  }
  return problems
}

/** Who took over a lease that nobody gave back had to wait until its time was up. */
function earlyTakeovers(all: readonly Held[]): string[] {
  const byEpoch = new Map(all.map((held) => [held.epoch, held]))
  return all.flatMap(({ epoch, answeredMs }) => {
    const before = byEpoch.get(epoch - 1)
    if (before === undefined || before.released) return []
    // Both stores count whole milliseconds.
    const early = before.askedMs + ttlMs - 2 - answeredMs
    return early > 0 ? [`${epoch} took over ${early} ms early`] : []
  })
}

const shim = shiftedClock()

for (const kind of STORES) {
  describe(`processes that hold leases on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** A holder that sleeps past its time while another one takes over; what its write comes to when it wakes up. */
    async function overslept(env: Record<string, string>) {
      const { cairn, session } = await newRoot(store())
      const holder = await startProgram(program, store().options, { env })
      const claimed = await holder.call('lease.claim', { session, name: 'l', ttl: '2s', holder: 'sleeper' })
      const first = String(claimed.answer?.token)
      expect(first).toMatch(/^1\./)
      const write = (key: string) =>
        holder.call('state.set', { session, key, value: 'by the sleeper', fence: `l:${first}` })
      const awake = await write('before')
      holder.signal('SIGSTOP')
      const late = write('after')
      let token = ''
      while (token === '') {
        const taken = await cairn.lease.claim({ name: 'l', ttl: '1h', holder: 'other' }).catch((error) => {
          if (error.code !== 'held_by_other') throw error
        })
        token = taken?.token ?? ''
        await sleep(10)
      }
      await cairn.state.set({ key: 'after', value: 'by the other', fence: `l:${token}` })
      holder.signal('SIGCONT')
      const outcome = await late
      return { awake, outcome, token, value: (await cairn.state.get({ key: 'after' })).value }
    }

    /** The check of both tests: what is wrong when a holder that lost its lease could still write. */
    function wrongs({ outcome, value }: Awaited<ReturnType<typeof overslept>>): string[] {
      const wrong = outcome.refused === 'fenced' ? [] : ['its late write was not refused as fenced']
      return value === 'by the other' ? wrong : [...wrong, 'it wrote over what the new holder had written']
    }

    it('U17 a holder that was stopped past its time and taken over writes nothing when it goes on', async () => {
      const done = await overslept({})
      expect(wrongs(done)).toEqual([])
      expect(done).toMatchObject({
        awake: { answer: { version: 1 } },
        token: expect.stringMatching(/^2\./),
        outcome: { refused: 'fenced', details: { name: 'l', your_epoch: 1, current_epoch: 2 } },
      })
    })

    it('skip-fence: with this fault planted, the same check finds the late write', async () => {
      expect(wrongs(await overslept({ CAIRN_FAULT: 'skip-fence' }))).toEqual([
        'its late write was not refused as fenced',
        'it wrote over what the new holder had written',
      ])
    })

    it('U21 processes whose clocks are off by hours and jump never hold one lease together', {
      timeout: 60_000 + rounds * 1000,
    }, async (ctx) => {
      if ('missing' in shim) return ctx.skip(shim.missing)
      const { cairn, session } = await newRoot(store())
      const started = async (shift: number): Promise<Program> => {
        return startProgram(program, store().options, { env: shiftedBy(shift, shim) })
      }
      const both = await Promise.all([started(5 * hours), started(-26 * hours)])
      for (const each of both)
        expect(Math.abs((await each.perform<number>('clock')) - Date.now())).toBeGreaterThan(hours)

      const task: ContendTask = { session, ttlMs, rounds, abandonEach: 20 }
      const held = (await Promise.all(both.map((each) => each.perform<Held[]>('contend', task)))).flat()
      const log = await wholeLog(cairn)
      expect(overlaps(log)).toEqual([])
      expect(earlyTakeovers(held)).toEqual([])
      expect(held.map(({ epoch }) => epoch).sort((a, b) => a - b)).toEqual(held.map((_, at) => at + 1))
      expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1))
      const backwards = log.filter(({ at }, index) => at < (log[index - 1]?.at ?? ''))
      expect(backwards.length).toBeGreaterThan(0)
      const marks = log.filter(({ data }) => data.items !== undefined).length
      const fenced = held.filter((each) => each.fenced).length
      const lost = log.filter(({ type }) => type === 'lease_lost').length
      console.log(
        `${kind.name}: ${held.length} holdings, ${marks} marks, ${lost} ran out (${fenced} while at work), ` +
          `time went back ${backwards.length} times, no overlap`,
      )
    })
  })
}
