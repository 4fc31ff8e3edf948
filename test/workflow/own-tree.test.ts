// The names of branches and folders that agents work in: whatever people call them, git and disks take them, and no two become one.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { asksForTrees, branchOf, treeFolderOf } from '../../src/domain/workflow/file/own-tree.ts'
import { readWorkflow } from '../../src/domain/workflow/file/read.ts'
import { seedOf } from '../setup/seed.ts'

const nameBytesMax = 255
const lockBytes = '.lock'.length

const branch = (id: string, root = 'night') => branchOf({ name: root }, { id })

/** The names that git takes no branch of, asked all at once. */
function refusedByGit(branches: readonly string[]): string[] {
  const script = 'for branch; do git check-ref-format "refs/heads/$branch" || printf "%s\\n" "$branch"; done'
  return execFileSync('sh', ['-c', script, 'sh', ...branches], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
}

const hostile = [
  ['fix-lexer', 'fix-lexer'],
  ['größe_2', 'größe_2'],
  ['a.b', 'a.b'],
  ['a..b', 'a%2E.b'],
  ['a...', 'a%2E%2E%2E'],
  ['a.', 'a%2E'],
  ['a.lock', 'a%2Elock'],
  ['a.LOCK', 'a%2ELOCK'],
  ['a.lock.lock', 'a.lock%2Elock'],
  ['a.lock.x', 'a.lock.x'],
] as const

describe('the branch of an agent', () => {
  it.each(hostile)('%s', (id, word) => {
    expect(branch(id)).toBe(`cairn/night/${word}`)
    expect(refusedByGit([branch(id)])).toEqual([])
  })

  it.each([
    'two words',
    'a/b',
    '../..',
    '.hidden',
    '@',
    'a@{1}',
    '-x',
    'a~1^2:3?*[\\',
    'tab\u00a0',
    '💥',
    '100%',
    '%2E',
  ])('of a root called %s is one that git takes', (root) => {
    const [, , ...rest] = branch('a', root).split('/')
    expect(rest).toEqual(['a'])
    expect(refusedByGit([branch('a', root)])).toEqual([])
    expect(treeFolderOf({ slug: root }, { id: 'a' }).split('/')).toHaveLength(3)
  })

  it('is taken by git for every id that a workflow may have, and no two are one', () => {
    const letters = fc.constantFrom(...'aZ9é漢.._-~%lock'.split(''), '.lock', '%2E', '\u0301', '𝒳')
    const names = fc.array(letters, { minLength: 1, maxLength: 40 }).map((all) => all.join(''))
    fc.assert(
      fc.property(fc.uniqueArray(names, { minLength: 2, maxLength: 30 }), (ids) => {
        const branches = ids.map((id) => branch(id, id))
        expect(new Set(branches).size).toBe(ids.length)
        expect(refusedByGit(branches)).toEqual([])
      }),
      { seed: seedOf(20_011), numRuns: 40 },
    )
  })

  it('is not that of what is called as another is written', () => {
    const branches = ['a.', 'a%2E', 'a%252E'].map((id) => branch(id))
    expect(new Set(branches).size).toBe(branches.length)
  })

  it('is no longer than a file name may be, and stays its own', () => {
    const long = '漢'.repeat(127)
    const [one, other] = [branch(`${long}a`), branch(`${long}b`)]
    expect(one).not.toBe(other)
    for (const name of [one, other]) {
      expect(Buffer.byteLength(name.split('/')[2] ?? '')).toBeLessThan(nameBytesMax - lockBytes)
      expect(refusedByGit([name])).toEqual([])
    }
  })
})

describe('cwd: worktree', () => {
  const agents = [{ id: 'a', run: ['true'] }]
  it.each([
    [{ defaults: { cwd: 'worktree' }, agents }, true],
    [{ agents: [{ ...agents[0], cwd: 'worktree' }] }, true],
    [{ phases: [{ name: 'one', agents: [{ ...agents[0], cwd: 'worktree' }] }] }, true],
    [{ defaults: { cwd: './worktree' }, agents }, false],
    [{ agents: [{ ...agents[0], cwd: 'worktree/' }] }, false],
    [{ agents }, false],
  ])('%j', (workflow, asks) => {
    expect(asksForTrees(workflow)).toBe(asks)
    expect(readWorkflow(workflow, defaultLimits)).not.toBeInstanceOf(Refusal)
  })

  it.each([undefined, null, 7, 'worktree', [], { agents: 7, phases: [null, { agents: [null] }] }])(
    'is not looked for in what is no workflow: %j',
    (given) => expect(asksForTrees(given)).toBe(false),
  )
})
