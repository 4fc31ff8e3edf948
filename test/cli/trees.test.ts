// Agents in git work trees of their own, as a person meets them: the built program, a real repository.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Document, sandbox } from './sandbox.ts'

const cairn = sandbox()

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: cairn.folder, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' })
}

const commit = 'git add -A && git -c user.name=x -c user.email=x@example.com commit -qm'

const flow = (agents: string) =>
  `objective: Make it faster\ndefaults: { cwd: worktree, retries: 0 }\nagents:\n${agents}`

const night = flow(`  - id: fix-lexer
    run: [sh, -c, "cairn state set lexer 1 && echo faster > file.txt && ${commit} lexer"]
  - id: docs.lock
    run: [sh, -c, "echo in the tree; cairn show --json > $CAIRN_OUTPUT"]
`)

let root = ''
let agents: Document[] = []

beforeAll(async () => {
  rmSync(join(cairn.project, '.git'), { recursive: true })
  git(cairn.folder, 'init', '-q', '-b', 'main', 'project')
  await cairn.run(['init', '--yes'])
  for (const [name, text] of [
    ['file.txt', 'base\n'],
    ['night.yaml', night],
  ] as const) {
    writeFileSync(join(cairn.project, name), text)
  }
  execFileSync('sh', ['-c', `${commit} base`], { cwd: cairn.project })
  await cairn.answer(['trust', 'night.yaml', '--yes'])
  await cairn.run(['up', '--port', '0'])
  root = (await cairn.answer(['run', 'night.yaml', '--name', 'night', '--detach'])).session_id
  agents = (await ended(root)).agents
})

afterAll(() => cairn.run(['down']))

/** How a root stands when it has ended. */
async function ended(session: string): Promise<Document> {
  await cairn.run(['watch', session])
  const status = await cairn.answer(['status', session])
  expect(status.session.status).toBe('completed')
  return status
}

describe('agents in work trees of their own', () => {
  it('are shown with their branch and folder', async () => {
    expect(agents.map(({ branch }) => branch)).toEqual(['cairn/night/fix-lexer', 'cairn/night/docs%2Elock'])
    const [fix] = agents
    expect(git(fix.worktree, 'rev-parse', '--show-toplevel').trim()).toBe(fix.worktree)
    const { out } = await cairn.run(['status', root])
    expect(out).toContain(`\nBranches, and where they are checked out\n  cairn/night/fix-lexer    ${fix.worktree}\n`)
    const { err, out: said } = await cairn.run(['logs', root, '--agent', 'docs.lock'])
    expect(said).toBe('in the tree\n')
    expect(err).toBe(`docs.lock works on cairn/night/docs%2Elock in ${agents[1].worktree}\n`)
    expect((await cairn.run(['logs', root, '--json'])).err).toBe('')
  })

  it('are found by the commands that git has', () => {
    expect(git(cairn.project, 'log', '--format=%s', 'main..cairn/night/fix-lexer')).toBe('lexer\n')
    expect(git(cairn.project, 'status', '--porcelain', '--', ':!agents')).toBe('')
    git(cairn.project, 'merge', '-q', '--ff-only', 'cairn/night/fix-lexer')
    expect(git(cairn.project, 'show', 'HEAD:file.txt')).toBe('faster\n')
  })

  it('use their own session there, and the folder of the session stays in the project', async () => {
    expect((await cairn.answer(['state', 'get', 'lexer', '--session', root])).updated_by).toBe(agents[0].session_id)
    const sessions = join('agents', 'sessions')
    expect(readdirSync(join(cairn.project, sessions))).toHaveLength(1)
    for (const { worktree } of agents) expect(git(worktree, 'status', '--porcelain')).toBe('')
  })
})

describe('files in a work tree', () => {
  const again = (folder: string, file = 'night.yaml') =>
    cairn.json(['run', file, '--detach'], { cwd: folder }).then(({ document }) => document.error)

  it('are as trusted as those of the project, and no more', async () => {
    const [{ worktree }] = agents
    const same = await cairn.answer(['run', 'night.yaml', '--detach'], { cwd: worktree })
    // What it changes was merged before: it finds nothing to commit.
    await cairn.run(['watch', same.session_id])
    writeFileSync(join(worktree, 'night.yaml'), night.replace('echo faster', 'echo worse'))
    expect(await again(worktree)).toBe('not_trusted')
    // Neither what has the text of a trusted file in another place, nor what is trusted there, counts in the project.
    writeFileSync(join(worktree, 'other.yaml'), night)
    expect(await again(worktree, 'other.yaml')).toBe('not_trusted')
    await cairn.answer(['trust', 'night.yaml', '--yes'], { cwd: worktree })
    writeFileSync(join(cairn.project, 'night.yaml'), night.replace('echo faster', 'echo worse'))
    expect(await again(cairn.project)).toBe('not_trusted')
  })

  it('of a folder that only says it is one are not trusted', async () => {
    const folder = join(cairn.folder, 'claims')
    mkdirSync(folder)
    const [{ worktree }] = agents
    writeFileSync(join(folder, '.git'), `gitdir: ${git(worktree, 'rev-parse', '--absolute-git-dir')}`)
    writeFileSync(join(folder, 'night.yaml'), night)
    expect(await again(folder)).toBe('not_trusted')
  })
})

it('work trees of a project that is no repository are refused before anything is made', async () => {
  const plain = join(cairn.folder, 'plain')
  mkdirSync(join(plain, 'agents'), { recursive: true })
  writeFileSync(join(plain, 'flow.yaml'), flow('  - { id: a, run: [true] }\n').replace('[true]', '["true"]'))
  const { document, exit } = await cairn.json(['run', 'flow.yaml'], { cwd: plain })
  expect([exit, document]).toMatchObject([4, { error: 'invalid_input', hint: expect.stringContaining('git init') }])
  expect((await cairn.answer(['ls'], { cwd: plain })).sessions).toEqual([])
})
