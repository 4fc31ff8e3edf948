// Worktrees of git: one project with the folder of their repository.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
const [main, bare] = [join(cairn.folder, 'main'), join(cairn.folder, 'bare.git')]
const [worktree, other, lone] = ['worktree', 'other', 'lone'].map((name) => join(cairn.folder, name)) as [
  string,
  string,
  string,
]

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

  it('of a repository without a folder of its own is a project by itself', async () => {
    expect(await meant(lone)).toBe('no_session')
    const { session_id } = await cairn.answer(['session', 'create', 'Lone'], { cwd: lone })
    expect(await meant(lone)).toBe(session_id)
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
