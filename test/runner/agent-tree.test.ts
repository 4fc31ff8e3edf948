// The work tree of an agent, made by the real git: what is found there, what is refused, and what is left of a kill.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { agentTree, type TreeWanted } from '../../src/runner/trees/agent-tree.ts'
import { textOf, until } from './process-setup.ts'
import { git, gitThatFirst, newFolder, newRepository, plantHooks, put } from './repositories.ts'

interface Given {
  readonly project: string
  readonly home?: string
  readonly id?: string
  readonly session?: string
  readonly environment?: Record<string, string>
}

function wanted({ project, home = newFolder(), id = 'fix', session = 'sess_a', environment = {} }: Given): TreeWanted {
  const root = { name: 'night', slug: '2026-11-20_night_3f9a1c' }
  const plain = { PATH: process.env.PATH, HOME: newFolder() }
  return { home, environment: { ...plain, ...environment }, project, root, agent: { id, session } }
}

async function made(tree: TreeWanted): Promise<string> {
  const folder = await agentTree(tree)
  if (folder instanceof Refusal) throw new Error(`${folder.code}: ${folder.message}`)
  return folder
}

async function refused(tree: TreeWanted): Promise<Refusal> {
  const refusal = await agentTree(tree)
  if (!(refusal instanceof Refusal)) throw new Error(`it was made: ${refusal}`)
  return refusal
}

const placeOf = ({ home, root, agent }: TreeWanted) => join(home, 'trees', root.slug, agent.id)

it('is on a branch of its own at the commit that the project is at, and is found again as it was left', async () => {
  const project = newRepository()
  const left = plantHooks(project)
  const tree = wanted({ project })
  const folder = await made(tree)
  // What the test asks of git sets off hooks too.
  expect(existsSync(left) ? readFileSync(left, 'utf8') : '').toBe('')
  expect(folder).toBe(placeOf(tree))
  expect(git(folder, 'branch', '--show-current')).toBe('cairn/night/fix\n')
  expect(git(folder, 'rev-parse', 'HEAD')).toBe(git(project, 'rev-parse', 'HEAD'))
  expect(git(folder, 'status', '--porcelain')).toBe('')
  expect(git(project, 'worktree', 'list', '--porcelain')).not.toContain('locked')
  writeFileSync(join(folder, 'file.txt'), 'half done\n')
  put(folder, 'new.txt', 'new\n')
  git(project, 'commit', '-q', '--allow-empty', '-m', 'meanwhile')
  expect(await made(tree)).toBe(folder)
  expect(git(folder, 'status', '--porcelain')).toBe(' M file.txt\n?? new.txt\n')
  expect(git(project, 'status', '--porcelain')).toBe('')
})

it('changes nothing of the repository but branches and work trees', async () => {
  const project = newRepository()
  const config = readFileSync(join(project, '.git/config'), 'utf8')
  const index = readFileSync(join(project, '.git/index'))
  await made(wanted({ project }))
  expect(readFileSync(join(project, '.git/config'), 'utf8')).toBe(config)
  expect(readFileSync(join(project, '.git/index'))).toEqual(index)
  expect(git(project, 'log', '--oneline', '--all').trim().split('\n')).toHaveLength(1)
})

it('is made for many agents at once, one after the other', async () => {
  const [project, home] = [newRepository(), newFolder()]
  // Git fails now and then where two trees of a repository are made at the same moment; this one does always.
  const busy = join(newFolder(), 'busy')
  const alone = `mkdir '${busy}' || { echo 'fatal: two at once' >&2; exit 128; }; "$real" "$@"; s=$?; rmdir '${busy}'; exit $s`
  const environment = gitThatFirst(`real=$(command -v -p git); case "$*" in *'worktree add'*) ${alone};; esac`)
  const ids = Array.from({ length: 12 }, (_, no) => `a${no}`)
  const trees = ids.map((id) => wanted({ project, home, id, session: `sess_${id}`, environment }))
  const folders = await Promise.all(trees.map(made))
  expect(new Set(folders).size).toBe(ids.length)
  for (const folder of folders) expect(git(folder, 'status', '--porcelain')).toBe('')
})

it('waits for the locks of somebody else who works in the repository', async () => {
  const project = newRepository()
  const lock = put(project, '.git/config.lock', '')
  // The first try meets the lock, and takes it away for the second.
  const script = `case "$*" in *'worktree add'*) [ -e '${lock}' ] && { rm '${lock}'; echo "fatal: '${lock}.lock': File exists" >&2; exit 128; };; esac`
  expect(git(await made(wanted({ project, environment: gitThatFirst(script) })), 'status', '--porcelain')).toBe('')
})

it('is the folder of the project in it, where that is below its repository', async () => {
  const repository = newRepository({ 'packages/parser/index.js': '', 'file.txt': '' })
  const tree = wanted({ project: join(repository, 'packages/parser') })
  const folder = await made(tree)
  expect(folder.replace(/\/$/, '')).toBe(join(placeOf(tree), 'packages/parser'))
  expect(existsSync(join(folder, 'index.js'))).toBe(true)
  mkdirSync(join(repository, 'packages/new'))
  const { code, message } = await refused(wanted({ project: join(repository, 'packages/new'), id: 'other' }))
  expect([code, message]).toEqual(['invalid_input', expect.stringContaining('packages/new')])
})

it('can be of a bare repository, and of a work tree', async () => {
  const project = newRepository()
  const bare = join(newFolder(), 'bare.git')
  git(project, 'clone', '-q', '--bare', '.', bare)
  expect(existsSync(join(await made(wanted({ project: bare })), 'file.txt'))).toBe(true)
  const other = join(newFolder(), 'other')
  git(project, 'worktree', 'add', '-q', '-b', 'other', other)
  git(other, 'commit', '-q', '--allow-empty', '-m', 'other')
  const folder = await made(wanted({ project: other }))
  expect(git(folder, 'rev-parse', 'HEAD')).toBe(git(other, 'rev-parse', 'HEAD'))
})

it('is refused where there is no repository, no commit or no git', async () => {
  const codeOf = async (given: Given) => {
    const { code, hint } = await refused(wanted(given))
    expect(hint).not.toBe('')
    return code
  }
  expect(await codeOf({ project: newFolder() })).toBe('invalid_input')
  const empty = newFolder()
  git(empty, 'init', '-q')
  expect((await refused(wanted({ project: empty }))).message).toContain('has no commit')
  const bare = newFolder()
  git(bare, 'init', '-q', '--bare')
  expect((await refused(wanted({ project: bare }))).message).toContain('has no commit')
  expect(await codeOf({ project: newRepository(), environment: { PATH: '/nowhere' } })).toBe('not_found')
})

it("U34 leaves alone a branch that is somebody else's, and one that is checked out elsewhere", async () => {
  const project = newRepository()
  git(project, 'branch', 'cairn/night/fix')
  const before = git(project, 'rev-parse', 'cairn/night/fix')
  expect(await refused(wanted({ project }))).toMatchObject({
    code: 'already_exists',
    details: { branch: 'cairn/night/fix' },
  })
  expect(git(project, 'rev-parse', 'cairn/night/fix')).toBe(before)
  expect(git(project, 'worktree', 'list').trim().split('\n')).toHaveLength(1)

  const tree = wanted({ project, id: 'own' })
  const folder = await made(tree)
  git(project, 'worktree', 'remove', folder)
  git(project, 'checkout', '-q', 'cairn/night/own')
  expect((await refused(tree)).message).toBe(`The branch cairn/night/own is checked out in ${project}.`)
  git(project, 'checkout', '-q', 'main')
  expect(await made(tree)).toBe(folder)
  // Another agent of the same name, of another root of the same name, has not made it.
  expect((await refused(wanted({ project, id: 'own', session: 'sess_b' }))).code).toBe('already_exists')
})

it('U34 goes on at its branch when somebody has removed the folder', async () => {
  const tree = wanted({ project: newRepository() })
  const folder = await made(tree)
  put(folder, 'done.txt', 'done\n')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'done')
  rmSync(folder, { recursive: true })
  expect(existsSync(join(await made(tree), 'done.txt'))).toBe(true)
})

it('leaves alone what is in its place', async () => {
  const tree = wanted({ project: newRepository() })
  const mine = put(placeOf(tree), 'mine.txt', 'mine\n')
  expect(await refused(tree)).toMatchObject({ code: 'already_exists', details: { folder: placeOf(tree) } })
  expect(readFileSync(mine, 'utf8')).toBe('mine\n')

  const other = wanted({ project: newRepository(), id: 'other' })
  await made(other)
  expect((await refused({ ...other, project: newRepository() })).code).toBe('already_exists')
  const file = wanted({ project: newRepository(), id: 'file' })
  put(join(placeOf(file), '..'), 'file', '')
  expect((await refused(file)).code).toBe('already_exists')
})

it('tells of a full disk as that', async () => {
  const script = `case "$*" in *' reset '*) echo 'error: unable to write file x: No space left on device' >&2; exit 128;; esac`
  const tree = wanted({ project: newRepository(), environment: gitThatFirst(script) })
  expect((await refused(tree)).code).toBe('disk_full')
  // Once there is room it is made whole.
  const again = await made({ ...tree, environment: { ...tree.environment, PATH: process.env.PATH } })
  expect(git(again, 'status', '--porcelain')).toBe('')
})

it('has git without secrets, without a terminal, and asks nobody', async () => {
  const seen = join(newFolder(), 'seen')
  const script = `env >> '${seen}'; (: < /dev/tty) 2>/dev/null && echo TERMINAL >> '${seen}'; true`
  const environment = { ...gitThatFirst(script), ANTHROPIC_API_KEY: 'a-secret', GIT_DIR: '/nowhere', CAIRN_TOKEN: 'x' }
  await made(wanted({ project: newRepository(), environment }))
  const text = readFileSync(seen, 'utf8')
  expect(text).toContain('GIT_TERMINAL_PROMPT=0')
  expect(text).not.toMatch(/a-secret|GIT_DIR|CAIRN_TOKEN|TERMINAL$/m)
})

/** What git leaves that was killed with its machine: at the end, what a server must find there is the same. */
it.each([
  [
    'before it had written more than its first file',
    `${'mkdir -p "$place"; printf "gitdir: %s\\n" "$common/worktrees/fix" > "$place/.git"; kill -9 $$'}`,
    'worktree add',
  ],
  ['when the tree was there and none of its files', '"$real" "$@"; kill -9 $$', 'worktree add'],
  [
    'while it wrote files',
    ': > "$("$real" -C "$place" rev-parse --absolute-git-dir)/index.lock"; echo half > "$place/file.txt"; kill -9 $$',
    'reset',
  ],
  ['when all files were there', '"$real" "$@"; kill -9 $$', 'reset'],
  ['before it was unlocked', 'kill -9 $$', 'worktree unlock'],
])('is made whole after git was killed %s', async (_, script, command) => {
  const project = newRepository()
  const tree = wanted({ project })
  const set = `real=$(command -v -p git); place='${placeOf(tree)}'; common='${project}/.git'`
  const dying = gitThatFirst(`case "$*" in *'${command}'*) ${set}; ${script};; esac`)
  await refused({ ...tree, environment: { ...tree.environment, ...dying } })
  const folder = await made(tree)
  expect(git(folder, 'status', '--porcelain')).toBe('')
  expect(git(folder, 'branch', '--show-current')).toBe('cairn/night/fix\n')
  expect(git(project, 'worktree', 'list', '--porcelain')).not.toContain('locked')
})

it('waits for the git that a killed server has left', async () => {
  const project = newRepository()
  const [said, go] = [join(newFolder(), 'said'), join(newFolder(), 'go')]
  const tree = wanted({ project, environment: gitThatFirst(`echo "$*" >> '${said}'`) })
  // The mark that every git for this agent bears.
  const env = { PATH: process.env.PATH ?? '', CAIRN_RUN_ID: `tree-${tree.agent.session}` }
  const add = `mkdir -p '${join(placeOf(tree), '..')}'; git branch mine; exec git worktree add -q '${placeOf(tree)}' mine`
  const line = `while [ ! -e '${go}' ]; do sleep 0.02; done; sleep 0.5; ${add}`
  const child = spawn('sh', ['-c', line], { cwd: project, env, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'spawn')
  const making = made(tree)
  await until(() => textOf(said).includes('--show-prefix'))
  writeFileSync(go, '')
  const folder = await making
  expect(git(folder, 'branch', '--show-current')).toBe('mine\n')
  // It has made nothing meanwhile.
  expect(textOf(said)).not.toMatch(/update-ref|worktree add/)
})
