// Worktrees of git: one project with the folder of their repository, which may be a bare one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
const [main, bare] = [join(cairn.folder, 'main'), join(cairn.folder, 'bare.git')]
const inFolder = (name: string) => join(cairn.folder, name)
const [worktree, other] = [inFolder('worktree'), inFolder('other')]
const [lone, second] = [inFolder('lone'), inFolder('second')]

function git(cwd: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH ?? '', HOME: cairn.folder, GIT_CONFIG_NOSYSTEM: '1' }
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@example.com']
  execFileSync('git', [...who, ...args], { cwd, env, stdio: 'pipe' })
}

async function meant(cwd: string): Promise<string> {
  const { document } = await cairn.json(['show'], { cwd })
  return document.session_id ?? document.error
}

describe('a worktree of git', () => {
  let root = ''
  beforeAll(async () => {
    mkdirSync(main)
    git(main, 'init', '-q')
    git(main, 'commit', '-q', '--allow-empty', '-m', 'x')
    git(main, 'worktree', 'add', '-q', worktree)
    git(main, 'worktree', 'add', '-q', other)
    git(main, 'clone', '-q', '--bare', '.', bare)
    git(bare, 'worktree', 'add', '-q', lone)
    git(bare, 'worktree', 'add', '-q', second)
    root = (await cairn.answer(['session', 'create', 'Work'], { cwd: worktree })).session_id
  })

  it('belongs to the project of its repository, from folders below it too', async () => {
    const deep = join(worktree, 'src', 'deep')
    mkdirSync(deep, { recursive: true })
    for (const folder of [main, worktree, deep, other]) expect(await meant(folder)).toBe(root)
    expect((await cairn.answer(['show'], { cwd: other })).project_dir).toBe(main)
  })

  it('has a session of its own once one was chosen there, and the others keep theirs', async () => {
    const own = await cairn.session('Own', '--parent', root)
    expect(await cairn.answer(['use', own], { cwd: worktree })).toMatchObject({ project_dir: worktree })
    expect([await meant(worktree), await meant(main), await meant(other)]).toEqual([own, root, root])
    expect((await cairn.run(['up', '--port', '0'], { cwd: main })).exit).toBe(0)
    try {
      expect([await meant(worktree), await meant(other)]).toEqual([own, root])
    } finally {
      await cairn.run(['down'])
    }
  })

  it('of a bare repository belongs to the project of that, wherever a command is run', async () => {
    const inside = join(bare, 'objects')
    expect(await meant(lone)).toBe('no_session')
    const { session_id } = await cairn.answer(['session', 'create', 'Lone'], { cwd: lone })
    for (const folder of [lone, second, bare, inside]) expect(await meant(folder)).toBe(session_id)
    expect((await cairn.answer(['show'], { cwd: second })).project_dir).toBe(bare)
  })

  it('of a bare repository that a folder keeps beside its worktrees belongs to that folder', async () => {
    const kept = join(cairn.folder, 'kept')
    mkdirSync(kept)
    git(main, 'clone', '-q', '--bare', '.', join(kept, '.bare'))
    writeFileSync(join(kept, '.git'), 'gitdir: ./.bare\n')
    git(kept, 'worktree', 'add', '-q', 'feature')
    const { session_id } = await cairn.answer(['session', 'create', 'Kept'], { cwd: join(kept, 'feature') })
    for (const folder of [kept, join(kept, '.bare'), join(kept, 'feature')])
      expect(await meant(folder)).toBe(session_id)
    expect((await cairn.answer(['show'], { cwd: kept })).project_dir).toBe(kept)
  })

  it('has a bare repository that setup calls one', async () => {
    const { warnings } = await cairn.answer(['setup', 'codex', '--dry-run'], { cwd: bare })
    expect(warnings).toContainEqual(expect.stringContaining('is a bare git repository: codex exec needs'))
  })

  it('is none where a file only says so', async () => {
    const claims = [
      `gitdir: ${join(main, '.git', 'worktrees', 'other')}\n`,
      `gitdir: ${join(main, '.git')}\n`,
      'gitdir: /nowhere\n',
      'gitdir:\n',
      '',
    ]
    for (const [at, claim] of claims.entries()) {
      const folder = join(cairn.folder, `claims-${at}`)
      mkdirSync(folder)
      writeFileSync(join(folder, '.git'), claim)
      expect(await meant(folder)).toBe('no_session')
    }
  })
})
