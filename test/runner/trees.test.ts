// Workflows whose agents have git work trees of their own: real git, real programs, servers that are killed.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { methodsOf } from '../../src/open.ts'
import { membersOf } from '../../src/runner/processes/members.ts'
import { RunFolder } from '../../src/runner/processes/run-folder.ts'
import { STORES, sharedStore, type TestStore } from '../setup/stores.ts'
import { sh, textOf, until as untilHere } from './process-setup.ts'
import { git, newFolder, newRepository, plantHooks } from './repositories.ts'
import {
  agentOf,
  ended,
  endRunsOf,
  exitOf,
  look,
  serving,
  start,
  startServer,
  statuses,
  until,
  untilTyped,
  type Work,
} from './workflows.ts'

const rounds = process.env.CAIRN_LONG === undefined ? 1 : 20

/** A root in a repository; its agents have trees of their own unless they say otherwise. */
async function plannedIn(project: string, store: TestStore, workflow: object): Promise<Work> {
  const opened = await store.openLog()
  const given = { defaults: { cwd: 'worktree', backoff: { first: '10ms', factor: 1, max: '10ms' } }, ...workflow }
  const input = { topic: 'a test', workflow: given, project_dir: project } as never
  const { session_id: root } = await methodsOf(opened).session.create(input)
  return { root, project, opened }
}

async function begunIn(...given: Parameters<typeof plannedIn>): Promise<Work> {
  const work = await plannedIn(...given)
  await start(work)
  return work
}

/** What people are shown of an agent. */
async function shown({ root, opened }: Work, id: string): Promise<{ branch: string; worktree: string }> {
  const { agents } = await methodsOf(opened).session.status({ session: root })
  const found = agents.find((agent) => agent.id === id)
  return { branch: String(found?.branch), worktree: String(found?.worktree) }
}

const committed = (text: string) => sh(`echo ${text} > file.txt && git commit -qam ${text}`)
const untouched = (project: string) => {
  expect(git(project, 'status', '--porcelain', '--', ':!agents')).toBe('')
  expect(git(project, 'branch', '--show-current')).toBe('main\n')
  expect(textOf(join(project, 'file.txt'))).toBe('base\n')
}

for (const kind of STORES) {
  describe(`work trees of agents on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('lets two agents change one file at once, and the tree of the user alone', async () => {
      const project = newRepository()
      const left = plantHooks(project)
      await serving(store())
      const both = `echo here >> $CAIRN_TREES; until [ "$(grep -c here $CAIRN_TREES)" = 2 ]; do sleep 0.02; done`
      const CAIRN_TREES = join(newFolder(), 'here')
      const agent = (id: string) => ({
        id,
        run: sh(`${both}; echo ${id} > file.txt; git config core.hooksPath /dev/null; git commit -qam ${id}`),
        env: [{ CAIRN_TREES }],
      })
      const work = await begunIn(project, store(), { agents: [agent('lexer'), agent('cache')] })
      const found = await ended(work)
      expect(statuses(found)).toEqual({ lexer: 'completed', cache: 'completed' })
      expect(existsSync(left)).toBe(false)
      untouched(project)
      for (const id of ['lexer', 'cache']) {
        const { branch, worktree } = await shown(work, id)
        expect(branch).toBe(`cairn/${found.name}/${id}`)
        expect(git(project, 'show', `${branch}:file.txt`)).toBe(`${id}\n`)
        expect(git(worktree, 'branch', '--show-current')).toBe(`${branch}\n`)
      }
    })

    it('a retry after a kill finds its work, and so does one by a person', async () => {
      const project = newRepository()
      await serving(store())
      const line =
        'echo x >> tries; [ "$(wc -l < tries)" -ge 3 ] && exit 0; [ -e killed ] && exit 1; touch killed; exec sleep 600'
      const work = await begunIn(project, store(), { agents: [{ id: 'fix', run: sh(line), retries: 1 }] })
      await untilHere(() => treesIn(store()).some(hasKilled))
      const { worktree } = await shown(work, 'fix')
      const before = agentOf(await look(work), 'fix')
      const folder = new RunFolder(store().home, String(before.progress.run))
      for (const { pid } of membersOf(folder.run, folder.process)) process.kill(pid, 'SIGKILL')
      expect(statuses(await ended(work))).toEqual({ fix: 'failed' })
      expect(textOf(join(worktree, 'tries'))).toBe('x\nx\n')
      await methodsOf(work.opened).session.retry({ session: work.root })
      expect(statuses(await ended(work))).toEqual({ fix: 'completed' })
      expect(textOf(join(worktree, 'tries'))).toBe('x\nx\nx\n')
      expect(git(project, 'worktree', 'list').trim().split('\n')).toHaveLength(2)
    })

    it.each(['tree-branch', 'tree-add', 'tree-fill', 'run-spawn'])(
      'is made once, however often the server is killed at %s',
      async (failpoint) => {
        endRunsOf(store())
        for (let round = 1; round <= rounds; round++) {
          const project = newRepository()
          const ids = ['a', 'b', 'c']
          const agents = ids.map((id) => ({ id, run: sh(`echo ${id} >> file.txt; git commit -qam ${id}`) }))
          const work = await plannedIn(project, store(), { max_parallel: 2, agents })
          await start(work)
          for (let killed = 0; killed < 2; killed++) {
            const server = await startServer(store(), { failpoint: `${failpoint}:kill@${(round % 3) + 1}` })
            await Promise.race([ended(work), new Promise((resolve) => server.child.once('exit', resolve))])
            await server.kill()
          }
          const last = await startServer(store())
          expect(statuses(await ended(work))).toEqual({ a: 'completed', b: 'completed', c: 'completed' })
          untouched(project)
          expect(git(project, 'worktree', 'list', '--porcelain')).not.toContain('locked')
          for (const id of ids) {
            const { branch, worktree } = await shown(work, id)
            expect(git(project, 'show', `${branch}:file.txt`)).toBe(`base\n${id}\n`)
            expect(git(worktree, 'status', '--porcelain')).toBe('')
          }
          await last.kill()
        }
      },
    )

    it('is taken up by the next server while it is worked in', async () => {
      endRunsOf(store())
      const project = newRepository()
      const killed = await startServer(store())
      const work = await begunIn(project, store(), {
        agents: [
          { id: 'a', run: sh('echo x >> file.txt; until [ -e go ]; do sleep 0.02; done; rm go; git commit -qam a') },
        ],
      })
      const changed = (folder: string) => textOf(join(folder, 'file.txt')) === 'base\nx\n'
      await untilHere(() => treesIn(store()).some(changed))
      await killed.kill()
      await startServer(store())
      await untilTyped(work, 'recovery_planned')
      const { branch, worktree } = await shown(work, 'a')
      writeFileSync(join(worktree, 'go'), '')
      expect((await ended(work)).status).toBe('completed')
      expect(git(project, 'show', `${branch}:file.txt`)).toBe('base\nx\n')
    })

    it('begins at the commit of that moment; an agent that is added has one too, and one may say otherwise', async () => {
      const project = newRepository()
      await serving(store())
      const work = await begunIn(project, store(), {
        profiles: { sh: { adapter: 'command', run: sh('pwd > $CAIRN_OUTPUT') } },
        agents: [
          { id: 'first', run: sh(`cd '${project}' && echo new > file.txt && git commit -qam new`) },
          { id: 'second', run: sh('cat file.txt > $CAIRN_OUTPUT'), depends_on: ['first'] },
          { id: 'in-project', run: sh('pwd > $CAIRN_OUTPUT'), cwd: '.' },
          { id: 'held', use: 'sh', task: 'wait', depends_on: ['second'], approval: 'before' },
        ],
      })
      const cairn = methodsOf(work.opened)
      await until(work, (found) => agentOf(found, 'held').status === 'resumable')
      await cairn.session.spawn({ session: work.root, id: 'joined', use: 'sh', task: 'x' })
      await cairn.session.approve({ session: work.root, agent: 'held' })
      const found = await ended(work)
      const leftBy = (id: string) => String(JSON.parse(agentOf(found, id).progress.result ?? '{}').text).trim()
      expect(leftBy('second')).toBe('new')
      expect(leftBy('in-project')).toBe(project)
      expect(leftBy('joined')).toBe((await shown(work, 'joined')).worktree)
      expect(await shown(work, 'in-project')).toEqual({ branch: 'null', worktree: 'null' })
    })

    it('fails an agent whose branch is there already with that reason, and leaves the branch', async () => {
      const project = newRepository()
      await serving(store())
      const work = await plannedIn(project, store(), { agents: [{ id: 'a', run: committed('a'), retries: 0 }] })
      const { branch } = await shown(work, 'a')
      git(project, 'branch', branch)
      const before = git(project, 'rev-parse', branch)
      await start(work)
      const found = await ended(work)
      expect(statuses(found)).toEqual({ a: 'failed' })
      expect(exitOf(agentOf(found, 'a')).reason).toBe(
        `The branch ${branch} is there already, and was not made for this agent.`,
      )
      expect(git(project, 'rev-parse', branch)).toBe(before)
    })
  })
}

/** The trees of a store. */
function treesIn({ home }: TestStore): string[] {
  const trees = join(home, 'trees')
  if (!existsSync(trees)) return []
  return readdirSync(trees).flatMap((root) => readdirSync(join(trees, root)).map((agent) => join(trees, root, agent)))
}

const hasKilled = (folder: string) => existsSync(join(folder, 'killed'))

describe('work trees that are asked for', () => {
  for (const kind of STORES) {
    const store = sharedStore(kind)
    const agents = [{ id: 'a', run: ['true'] }]

    it(`are refused at once on ${kind.name} where the project is in no repository, or in one without a commit`, async () => {
      const none = plannedIn(newFolder(), store(), { agents })
      await expect(none).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringContaining('in no git') })
      const empty = newFolder()
      git(empty, 'init', '-q', '--bare')
      await expect(plannedIn(empty, store(), { agents })).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringContaining('no commit'),
        hint: expect.stringContaining('Commit'),
      })
      const phases = [{ name: 'one', agents: [{ ...agents[0], cwd: 'worktree' }] }]
      await expect(plannedIn(newFolder(), store(), { defaults: {}, phases })).rejects.toMatchObject({
        code: 'invalid_input',
      })
      const work = await plannedIn(newFolder(), store(), { defaults: {}, agents })
      const added = { session: work.root, agents: [{ id: 'b', run: ['true'], cwd: 'worktree' }] }
      const extended = methodsOf(work.opened).workflow.extend(added as never)
      await expect(extended).rejects.toMatchObject({ code: 'invalid_input' })
    })

    it(`are not asked for on ${kind.name} by a folder of that name, nor on a machine that has no such project`, async () => {
      await plannedIn(newFolder(), store(), { defaults: { cwd: './worktree' }, agents })
      await plannedIn(join(dirname(newFolder()), 'elsewhere'), store(), { agents })
    })
  }
})
