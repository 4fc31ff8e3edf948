// Many agents, each a process of its own, share one list of tasks. Some are killed while they hold one.
import { describe, expect, it } from 'vitest'
import { type Program, startProgram } from '../leases/program.ts'
import { newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import type { WorkTask } from './agent.ts'

/** To start fifty takes two processors half a minute: only a long run does. There are more tasks than agents. */
const agents = process.env.CAIRN_LONG === undefined ? 24 : 50
const killed = 8
const tasks = Array.from({ length: agents + 10 }, (_, at) => `task/${at}`)

for (const kind of STORES) {
  describe(`${agents} agents on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-49 do every task once, though some are killed with a claim', { timeout: 120_000 }, async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.init({ initial_state: Object.fromEntries(tasks.map((key) => [key, 'open'])) })
      const task = (at: number): WorkTask => ({ session, tasks, from: (at * 7) % tasks.length, ttlMs: 1000 })
      const started: Promise<Program>[] = []
      for (let at = 0; at < agents; at++) started.push(startProgram('test/together/agent.ts', store().options))
      const [dying, living] = [started.slice(0, killed), started.slice(killed)]
      const held = await Promise.all(
        dying.map(async (each, at) => {
          const program = await each
          const claim = await program.perform<{ key: string; token: string } | null>('hold', task(at))
          program.signal('SIGKILL')
          return claim
        }),
      )
      const did = await Promise.all(
        living.map(async (each, at) => (await each).perform<string[]>('work', task(killed + at))),
      )
      expect(did.flat().sort()).toEqual([...tasks].sort())
      const { value } = await cairn.state.get({ key: 'done' })
      const done = value as { key: string; epoch: number }[]
      expect(done.map(({ key }) => key).sort()).toEqual([...tasks].sort())
      const epochs = new Map(done.map(({ key, epoch }) => [key, epoch]))
      // What a killed agent held was taken over: with a higher epoch.
      expect(held).toHaveLength(killed)
      for (const claim of held)
        expect(epochs.get(claim?.key ?? '')).toBeGreaterThan(Number.parseInt(claim?.token ?? '', 10))
    })
  })
}
