// Long nights in a short time: whatever is killed, the work comes to its end, and each part of it is done once.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { elapsed, sleep } from '../../src/clock.ts'
import { methodsOf } from '../../src/open.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { RunFolder } from '../../src/runner/processes/run-folder.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { killSeen, sh, textOf, until as untilHere } from './process-setup.ts'
import {
  agentOf,
  begun,
  ended,
  endRunsOf,
  freePort,
  look,
  cairn as program,
  type Server,
  startServer,
  statuses,
  until,
  untilTyped,
  type Work,
} from './workflows.ts'

const isLong = process.env.CAIRN_LONG !== undefined
const nightMs = isLong ? 120_000 : 8000
const many = 50

const counted = ({ project }: Work, file: string) =>
  textOf(join(project, file)).trim().split('\n').filter(Boolean).sort()

for (const kind of STORES) {
  describe(`agents that outlive servers on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it(`S1-10 are all adopted, ${many} of them, when the server is killed`, async () => {
      endRunsOf(store())
      const killed = await startServer(store())
      const ids = Array.from({ length: many }, (_, at) => `a${String(at).padStart(2, '0')}`)
      const line = (id: string) => sh(`echo ${id} >> count; while [ ! -e go ]; do sleep 0.5; done; echo ${id} >> done`)
      const work = await begun(store(), {
        max_parallel: many,
        agents: ids.map((id) => ({ id, role: 'worker', run: line(id) })),
      })
      await untilHere(() => counted(work, 'count').length === many)
      await killed.kill()
      await startServer(store())
      await untilTyped(work, 'recovery_planned')
      writeFileSync(join(work.project, 'go'), '')
      expect((await ended(work)).status).toBe('completed')
      expect(counted(work, 'count')).toEqual(ids)
      expect(counted(work, 'done')).toEqual(ids)
    })

    it('FAULTS 26 U31 are left to another by a runner that stood still past its lease', async () => {
      endRunsOf(store())
      // One server at a time has a SQLite store.
      if (store().kind === 'SQLite') return
      const limits = { runnerLeaseMs: 1000 }
      const asleep = await startServer(store(), { limits })
      const work = await begun(store(), {
        agents: [{ id: 'a', role: 'worker', run: sh('echo a >> count; while [ ! -e go ]; do sleep 0.05; done') }],
      })
      await untilHere(() => counted(work, 'count').length === 1)
      asleep.child.kill('SIGSTOP')
      await startServer(store(), { limits })
      await untilTyped(work, 'recovery_planned')
      asleep.child.kill('SIGCONT')
      writeFileSync(join(work.project, 'go'), '')
      expect((await ended(work)).status).toBe('completed')
      expect(counted(work, 'count')).toEqual(['a'])
    })

    it('S1-84 S1-88 come to the end of a night in which anything is killed at random', async () => {
      endRunsOf(store())
      const work = await begun(store(), nightly())
      const random = randomFrom(seedOf(7))
      const port = await freePort()
      let server: Server = await startServer(store(), { port })
      const dawn = elapsed() + nightMs
      const approving = approve(work)
      while (elapsed() < dawn) {
        await sleep(200 + random() * 600)
        if (random() < 0.4) {
          await server.kill()
          server = await startServer(store(), { port })
        } else await killOne(work, random, store().home)
      }
      const found = await ended(work)
      await approving
      expect([found.status, found.agents.length]).toEqual(['completed', 10])
      expect(new Set(Object.values(statuses(found)))).toEqual(new Set(['completed']))
      const cairn = methodsOf(work.opened)
      expect(await cairn.state.get({ session: work.root, key: 'total' })).toMatchObject({ value: 10 })
      // What was completed was never begun again.
      const { events } = await cairn.log.list({ session: work.root, since: 0, limit: 1000 })
      for (const { no } of found.agents) {
        const own = events.filter(({ data }) => (data as { agent?: number } | null)?.agent === no)
        const exits = own.filter(
          ({ type, data }) => type === 'agent_exited' && (data as { exit_code?: number }).exit_code === 0,
        )
        expect(exits).toHaveLength(1)
      }
      await server.kill('SIGTERM')
    })
  })
}

/** Ten agents in three phases; one waits for a person, one is rate limited. Each counts itself once, however often it runs. */
function nightly(): object {
  const step = (id: string, before = '') =>
    sh(
      `${before} sleep 0.5; node ${program} state increment total 1 --request-id ${id} > /dev/null && echo ${id} >> done`,
    )
  const limited = 'if [ ! -e limited ]; then touch limited; echo "retry-after: 500ms"; exit 75; fi;'
  const agent = (at: number, more: object = {}, before = '') => {
    const id = `a${String(at).padStart(2, '0')}`
    return { id, role: 'worker', run: step(id, before), ...more }
  }
  return {
    max_parallel: 3,
    defaults: { retries: 100, backoff: { first: '50ms', factor: 1, max: '50ms' } },
    phases: [
      { name: 'First', agents: [agent(1), agent(2), agent(3), agent(4)] },
      { name: 'Second', agents: [agent(5, { approval: 'before' }), agent(6), agent(7, {}, limited)] },
      { name: 'Third', agents: [agent(8), agent(9), agent(10)] },
    ],
  }
}

/** A person who approves as soon as they are asked. */
async function approve(work: Work): Promise<void> {
  const cairn = methodsOf(work.opened)
  await until(work, (found) => agentOf(found, 'a05').status === 'resumable')
  await cairn.session.approve({ session: work.root, agent: 'a05' })
}

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Kills one process of one agent: its shim, or what that runs. */
async function killOne(work: Work, random: () => number, home: string): Promise<void> {
  const open = (await look(work)).agents.flatMap(({ progress: { run } }) => (run === null ? [] : [run]))
  const run = open[Math.floor(random() * open.length)]
  if (run === undefined || !existsSync(join(home, 'runs', run))) return
  const members = membersOf(run, new RunFolder(home, run).process)
  const one = members[Math.floor(random() * members.length)]
  if (one !== undefined) killSeen(one.pid)
}
