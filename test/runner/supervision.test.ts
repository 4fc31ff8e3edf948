// Workflows of real programs, run by a server.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { methodsOf } from '../../src/open.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { RunFolder } from '../../src/runner/processes/run-folder.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { sh, textOf, until as untilHere } from './process-setup.ts'
import { agentOf, begun, ended, exitOf, serving, statuses, typesOf, until } from './workflows.ts'

const secret = 'a-secret-of-the-server-0123456789'

for (const kind of STORES) {
  describe(`a workflow on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S1-42 S1-43 S1-44 runs agents after those that they depend on, and hands them the results', async () => {
      await serving(store())
      const work = await begun(store(), {
        agents: [
          { id: 'read', role: 'reader', run: sh('echo said; printf "the result" > "$CAIRN_OUTPUT"'), task: 'Read.' },
          {
            id: 'use',
            role: 'worker',
            run: sh('cp "$CAIRN_TASK_FILE" task'),
            task: 'Use {{outputs.read}} now.',
            depends_on: ['read'],
          },
        ],
      })
      const found = await ended(work)
      expect(found.status).toBe('completed')
      expect(statuses(found)).toEqual({ read: 'completed', use: 'completed' })
      const task = textOf(join(work.project, 'task'))
      expect(task).toContain('# Task\n\nUse the result now.\n')
      expect(task).toContain('### read (completed)\n\nthe result\n')
      expect(exitOf(agentOf(found, 'read'))).toMatchObject({ cause: 'exit', exit_code: 0 })
    })

    it('S0-21 S0-22 S0-23 tells an agent who it is, gives it a token of its own, and nothing of the server', async () => {
      process.env.TEST_SERVER_SECRET = secret
      process.env.TEST_PASSED = 'passed on'
      const server = await serving(store())
      const work = await begun(store(), {
        agents: [
          {
            id: 'one',
            role: 'worker',
            task: 'Look around.',
            env: ['TEST_PASSED', { TEST_SET: 'set' }],
            run: sh(
              'env > env; cat "$CAIRN_MCP_CONFIG" > mcp; cairn state set seen true --json > answer 2>&1; touch done',
            ),
          },
        ],
      })
      const found = await ended(work)
      const text = readFileSync(join(work.project, 'env'), 'utf8')
      const env = Object.fromEntries(
        text
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/s).slice(0, 2)),
      )
      const { session_id: session, name } = agentOf(found, 'one')
      expect(env).toMatchObject({
        AGENT_SESSION_ID: session,
        AGENT_SESSION_NAME: name,
        AGENT_ROOT_SESSION_ID: work.root,
        AGENT_ROOT_SESSION_NAME: found.name,
        CAIRN_URL: server.discovered.url,
        CAIRN_RUN_ID: expect.stringMatching(/^run_/),
        TEST_PASSED: 'passed on',
        TEST_SET: 'set',
      })
      expect(text).not.toContain(secret)
      expect(readFileSync(join(work.project, 'mcp'), 'utf8')).not.toContain(env.CAIRN_TOKEN)
      const cairn = methodsOf(work.opened)
      expect(JSON.parse(textOf(join(work.project, 'answer')))).toMatchObject({ key: 'seen', value: true })
      const { events } = await cairn.state.why({ session: work.root, key: 'seen' })
      expect(events[0]).toMatchObject({ session_id: session, cause: { run: env.CAIRN_RUN_ID } })
      // It ended with the run.
      const late = await connect({ url: server.discovered.url, token: env.CAIRN_TOKEN as string })
      await expect(late.state.set({ key: 'late', value: 1 })).rejects.toMatchObject({ code: 'unauthorized' })
      await late.close()
      process.env.TEST_SERVER_SECRET = ''
    })

    it('U35 tries a failing agent again, three times in all, and then it has failed, and the root with it', async () => {
      await serving(store())
      const work = await begun(store(), {
        defaults: { backoff: { first: '10ms', factor: 1, max: '10ms' } },
        agents: [
          { id: 'fails', role: 'worker', run: sh('echo x >> count; echo "no luck" >&2; exit 3') },
          { id: 'after', role: 'worker', run: sh('touch ran'), depends_on: ['fails'] },
        ],
      })
      const found = await ended(work)
      expect([found.status, statuses(found)]).toEqual(['failed', { fails: 'failed', after: 'skipped' }])
      expect(textOf(join(work.project, 'count'))).toBe('x\nx\nx\n')
      expect(existsSync(join(work.project, 'ran'))).toBe(false)
      expect(exitOf(agentOf(found, 'fails'))).toMatchObject({
        cause: 'exit',
        exit_code: 3,
        reason: 'It exited with 3.',
      })
    })

    it('refuses a program that is missing without a storm of attempts, and says what is missing', async () => {
      await serving(store())
      const work = await begun(store(), {
        agents: [{ id: 'missing', role: 'worker', retries: 0, run: ['no-such-program-here'] }],
      })
      const found = await ended(work)
      expect(agentOf(found, 'missing')).toMatchObject({ status: 'failed', progress: { attempts: 1 } })
      expect(agentOf(found, 'missing').reason).toContain('"no-such-program-here" cannot be started: is not in the PATH')
    })

    it('U26 stops an agent whose time is up, with all that it has started', async () => {
      await serving(store())
      const line = 'setsid sh -c "echo \\$\\$ > daemon; exec sleep 1000" & sleep 1000'
      const work = await begun(store(), {
        agents: [{ id: 'slow', role: 'worker', timeout: '500ms', retries: 0, run: sh(line) }],
      })
      const found = await ended(work)
      const agent = agentOf(found, 'slow')
      expect(agent.status).toBe('failed')
      expect(exitOf(agent)).toMatchObject({ cause: 'timeout' })
      expect(membersOf(String(exitOf(agent).run), undefined)).toEqual([])
    })

    it('C21 stops an agent that is silent for too long; what it puts out keeps it alive', async () => {
      await serving(store())
      const loud = sh('for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.2; done')
      const work = await begun(store(), {
        agents: [
          { id: 'silent', role: 'worker', idle_timeout: '1s', retries: 0, run: sh('sleep 1000') },
          { id: 'loud', role: 'worker', idle_timeout: '1s', retries: 0, run: loud },
        ],
      })
      const found = await ended(work)
      expect(statuses(found)).toEqual({ silent: 'failed', loud: 'completed' })
      expect(exitOf(agentOf(found, 'silent'))).toMatchObject({ cause: 'idle' })
    })

    it('lets an agent that is rate limited wait, and go on then, without counting it as a failure', async () => {
      await serving(store())
      const line = 'if [ -e limited ]; then echo went on; else touch limited; echo "retry-after: 300ms"; exit 75; fi'
      const work = await begun(store(), { agents: [{ id: 'limited', role: 'worker', retries: 0, run: sh(line) }] })
      const waiting = await until(work, (look) => agentOf(look, 'limited').status === 'resumable')
      expect(JSON.parse(agentOf(waiting, 'limited').progress.parked ?? '')).toMatchObject({ why: 'rate_limit' })
      const found = await ended(work)
      expect(agentOf(found, 'limited')).toMatchObject({ status: 'completed', progress: { failures: 0 } })
    })

    it('ends what an agent has left running on its output when the agent ends', async () => {
      await serving(store())
      const work = await begun(store(), {
        agents: [{ id: 'leaves', role: 'worker', run: sh('sleep 1000 & echo said') }],
      })
      const found = await ended(work)
      expect(found.status).toBe('completed')
      expect(membersOf(String(exitOf(agentOf(found, 'leaves')).run), undefined)).toEqual([])
    })

    it('keeps a long result as a blob, cuts secrets out of results, and hands both on', async () => {
      await serving(store())
      const token = `ghp_${'a1B2'.repeat(9)}`
      const work = await begun(store(), {
        agents: [
          { id: 'long', role: 'worker', run: sh('head -c 100000 /dev/zero | tr "\\0" x > "$CAIRN_OUTPUT"') },
          {
            id: 'told',
            role: 'worker',
            run: sh(`echo "the token is ${token.slice(0, 4)}""${token.slice(4)}" > "$CAIRN_OUTPUT"`),
          },
          {
            id: 'use',
            role: 'worker',
            run: sh('wc -c < "$CAIRN_TASK_FILE" > size; cp "$CAIRN_TASK_FILE" task'),
            depends_on: ['long', 'told'],
          },
        ],
      })
      const found = await ended(work)
      const result = JSON.parse(agentOf(found, 'long').progress.result ?? '')
      expect(result).toMatchObject({ blob: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 100_000 })
      expect(agentOf(found, 'told').progress.result).not.toContain(token)
      const task = textOf(join(work.project, 'task'))
      expect(task).not.toContain(token)
      expect(task).toContain(`${'x'.repeat(100)}\n\n[… 34464 bytes more]`)
    })

    it('S1-11 runs several roots at once, and never more agents of one than it may', async () => {
      await serving(store())
      const line = 'echo + >> log; n=$(grep -c + log); sleep 0.1; echo - >> log'
      const agents = Array.from({ length: 6 }, (_, at) => ({ id: `a${at}`, role: 'worker', run: sh(line) }))
      const works = await Promise.all([1, 2].map(() => begun(store(), { max_parallel: 2, agents })))
      for (const work of works) {
        expect((await ended(work)).status).toBe('completed')
        let [now, most] = [0, 0]
        for (const sign of textOf(join(work.project, 'log')).trim().split('\n')) {
          now += sign === '+' ? 1 : -1
          most = Math.max(most, now)
        }
        expect(most).toBeLessThanOrEqual(2)
      }
    })

    it('stops its agents when the root is cancelled by a person', async () => {
      await serving(store())
      const work = await begun(store(), {
        agents: [{ id: 'long', role: 'worker', run: sh('touch ready; sleep 1000') }],
      })
      await untilHere(() => existsSync(join(work.project, 'ready')))
      const running = await until(work, (look) => agentOf(look, 'long').progress.run !== null)
      const run = String(agentOf(running, 'long').progress.run)
      await methodsOf(work.opened).session.end({ session: work.root, status: 'cancelled' } as never)
      const found = await ended(work)
      expect(found.status).toBe('cancelled')
      expect(membersOf(run, new RunFolder(store().home, run).process)).toEqual([])
      expect((await typesOf(work)).filter((type) => type === 'agent_exited')).toHaveLength(1)
    })
  })
}
