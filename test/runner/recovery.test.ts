// Servers that are killed while agents run: whatever is killed, what was done is not done again, and nothing is lost.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RecoveryPlanned } from '../../src/domain/workflow/facts.ts'
import { methodsOf } from '../../src/open.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { processOf } from '../../src/runner/processes/process-table.ts'
import { RunFolder } from '../../src/runner/processes/run-folder.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { killSeen, sh, textOf, until as untilHere } from './process-setup.ts'
import {
  agentOf,
  begun,
  ended,
  endRunsOf,
  exitOf,
  look,
  planned,
  serving,
  start,
  startServer,
  statuses,
  typesOf,
  until,
  untilTyped,
  type Work,
} from './workflows.ts'

const rounds = process.env.CAIRN_LONG === undefined ? 1 : 50

/** Every attempt of an agent leaves its mark; it ends once there is a file `go`. */
const waiting = (id: string) => sh(`echo ${id} >> count; while [ ! -e go ]; do sleep 0.05; done; echo ${id} >> done`)
const counted = (project: string, file: string) => textOf(join(project, file)).trim().split('\n').filter(Boolean).sort()

const ids = ['a', 'b', 'c', 'd']
const allStarted = ({ project }: Work) => untilHere(() => counted(project, 'count').length === ids.length)

for (const kind of STORES) {
  describe(`recovery on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S1-8 S1-10 S1-72 S1-84 adopts what runs when the server was killed, and starts nothing twice', async () => {
      endRunsOf(store())
      const ids = ['a', 'b', 'c']
      const killed = await startServer(store())
      const work = await begun(store(), {
        agents: [...ids, 'after'].map((id) => ({
          id,
          role: 'worker',
          run: waiting(id),
          ...(id === 'after' && { depends_on: ids }),
        })),
      })
      await untilHere(() => counted(work.project, 'count').length === 3)
      await killed.kill()
      await startServer(store())
      await untilTyped(work, 'recovery_planned')
      writeFileSync(join(work.project, 'go'), '')
      const found = await ended(work)
      expect(statuses(found)).toEqual({ a: 'completed', b: 'completed', c: 'completed', after: 'completed' })
      expect(counted(work.project, 'count')).toEqual(['a', 'after', 'b', 'c'])
      const { events } = await methodsOf(work.opened).log.list({ session: work.root, since: 0, limit: 1000 })
      const { data } = events.find(({ type }) => type === 'recovery_planned') as unknown as { data: RecoveryPlanned }
      expect(data.steps.map(({ rung }) => rung)).toEqual(['adopt', 'adopt', 'adopt'])
    })

    it('finds the record of an agent that ended while the server was down, and tries again one that was killed then', async () => {
      endRunsOf(store())
      const killed = await startServer(store())
      const work = await begun(store(), {
        defaults: { backoff: { first: '10ms', factor: 1, max: '10ms' } },
        agents: [
          { id: 'ends', role: 'worker', run: waiting('ends') },
          { id: 'dies', role: 'worker', run: waiting('dies') },
        ],
      })
      await untilHere(() => counted(work.project, 'count').length === 2)
      const before = await look(work)
      await killed.kill()
      const dies = new RunFolder(store().home, String(agentOf(before, 'dies').progress.run))
      for (const { pid } of membersOf(dies.run, dies.process)) killSeen(pid)
      await untilHere(() => membersOf(dies.run, dies.process).length === 0)
      writeFileSync(join(work.project, 'go'), '')
      const ends = new RunFolder(store().home, String(agentOf(before, 'ends').progress.run))
      await untilHere(() => ends.exitStatus === 0)
      await startServer(store())
      const found = await ended(work)
      expect(statuses(found)).toEqual({ ends: 'completed', dies: 'completed' })
      expect(counted(work.project, 'count')).toEqual(['dies', 'dies', 'ends'])
      expect(agentOf(found, 'dies').progress).toMatchObject({ attempts: 2, failures: 1 })
    })

    it('a pause outlives the server: what stood still stands still until it goes on', async () => {
      endRunsOf(store())
      const killed = await startServer(store())
      const work = await begun(store(), {
        agents: [
          { id: 'a', role: 'worker', run: sh('while :; do echo x >> log; [ -e go ] && exit 0; sleep 0.02; done') },
        ],
      })
      await untilHere(() => existsSync(join(work.project, 'log')))
      const running = await look(work)
      const folder = new RunFolder(store().home, String(agentOf(running, 'a').progress.run))
      const cairn = methodsOf(work.opened)
      await cairn.session.pause({ session: work.root })
      await until(work, (found) => agentOf(found, 'a').status === 'paused')
      await killed.kill()
      const size = textOf(join(work.project, 'log')).length
      expect(processOf(folder.process?.pid ?? 0)?.state).toBe('T')
      await startServer(store())
      writeFileSync(join(work.project, 'go'), '')
      await cairn.session.resume({ session: work.root })
      expect((await ended(work)).status).toBe('completed')
      expect(textOf(join(work.project, 'log')).length).toBeGreaterThan(size)
    })

    it.each(['run-intent', 'run-spawn', 'run-identity', 'run-exit'])(
      `S1-88 counts each agent once, however often the server is killed at %s`,
      async (failpoint) => {
        endRunsOf(store())
        // Of those that still run when the next server comes, none may be begun again: they end only when the last one is there.
        const run = failpoint === 'run-exit' ? (id: string) => sh(`echo ${id} >> count`) : waiting
        for (let round = 1; round <= rounds; round++) {
          const agents = ids.map((id) => ({ id, role: 'worker', run: run(id) }))
          const work = await planned(store(), { max_parallel: ids.length, agents })
          await start(work)
          for (const hit of [(round % 3) + 1, 1]) {
            const server = await startServer(store(), { failpoint: `${failpoint}:kill@${hit}` })
            const dead = new Promise<void>((resolve) => server.child.once('exit', () => resolve()))
            // It dies, unless one before it got to the end of them all.
            await Promise.race([dead, run === waiting ? allStarted(work) : ended(work)])
            await server.kill()
          }
          const last = await startServer(store())
          if (run === waiting) await untilTyped(work, 'recovery_planned')
          writeFileSync(join(work.project, 'go'), '')
          expect(new Set(Object.values(statuses(await ended(work))))).toEqual(new Set(['completed']))
          expect(counted(work.project, 'count')).toEqual(ids)
          await last.kill()
        }
      },
    )

    it('FAULTS 29 goes on stopping what a killed server was stopping', async () => {
      endRunsOf(store())
      const killed = await startServer(store(), { failpoint: 'run-stop:kill' })
      const line = `trap '' TERM; touch ready; while :; do sleep 0.05; done`
      const work = await begun(store(), { agents: [{ id: 'stays', role: 'worker', run: sh(line) }] })
      await untilHere(() => existsSync(join(work.project, 'ready')))
      const running = await until(work, (found) => agentOf(found, 'stays').progress.run !== null)
      const run = String(agentOf(running, 'stays').progress.run)
      const gone = new Promise((resolve) => killed.child.once('exit', resolve))
      await methodsOf(work.opened).session.end({ session: work.root, status: 'cancelled' } as never)
      await gone
      expect(membersOf(run, undefined).length).toBeGreaterThan(0)
      await startServer(store(), { limits: { stopGraceMs: 100 } })
      const found = await ended(work)
      expect(exitOf(agentOf(found, 'stays'))).toMatchObject({ run })
      expect(membersOf(run, undefined)).toEqual([])
      expect((await typesOf(work)).filter((type) => type === 'agent_exited')).toHaveLength(1)
    })

    it('U31 a second server of one store leaves a root to the one that runs it', async () => {
      endRunsOf(store())
      if (store().kind === 'SQLite') return
      await startServer(store())
      const work = await begun(store(), { agents: [{ id: 'a', role: 'worker', run: waiting('a') }] })
      await untilHere(() => counted(work.project, 'count').length === 1)
      await serving(store())
      writeFileSync(join(work.project, 'go'), '')
      expect((await ended(work)).status).toBe('completed')
      expect(counted(work.project, 'count')).toEqual(['a'])
      expect((await typesOf(work)).filter((type) => type === 'recovery_planned')).toEqual([])
    })
  })
}
