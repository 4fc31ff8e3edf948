import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
const defined: AnyOperation[] = Object.values(operations).flatMap((verbs) => Object.values(verbs))

it('docs/cli.md is the reference that the definitions give', async () => {
  const { out } = await cairn.run(['help', '--markdown'])
  expect(readFileSync('docs/cli.md', 'utf8'), 'run `node scripts/cli-reference.mjs` and commit docs/cli.md').toBe(out)
})

/** What other operations build on, and nobody types. */
const withoutCommand = ['session.join', 'log.adopt']

it('every operation is a command and has its place in the help', async () => {
  const bare = await cairn.run(['help', '--all'])
  expect(bare).toMatchObject({ err: '', exit: 0 })
  const isCommand = ({ command }: AnyOperation) => command.words.length > 0
  expect(defined.filter((each) => !isCommand(each)).map(({ name }) => name)).toEqual(withoutCommand)
  for (const { command, summary } of defined.filter(isCommand)) {
    expect(bare.out).toContain(`  ${command.words[0]}`)
    expect(bare.out).toContain(summary)
  }
})

it('shows a command with its arguments, flags and examples, however it is asked', async () => {
  const asked = [
    ['help', 'state', 'set'],
    ['state', 'set', '--help'],
    ['state', 'set', 'k', '-h'],
    ['--help', 'state', 'set'],
  ]
  const [first, ...others] = await Promise.all(asked.map((args) => cairn.run(args)))
  for (const other of others) expect(other).toEqual(first)
  expect(first?.out).toContain('Usage  cairn state set KEY VALUE [--version N]')
  expect(first?.out).toContain('--request-id TEXT')
  expect(first?.out).toContain('cairn state set name "plain text"')
})

it('shows a group, and both meanings of words that have two', async () => {
  const [group, both] = await Promise.all([cairn.run(['state', '--help']), cairn.run(['help', 'state', 'get'])])
  expect(group.out).toContain('state increment KEY [DELTA]')
  expect(group.out).not.toContain('session create')
  expect(both.out).toContain('cairn state get KEY [--at N]')
  expect(both.out).toContain('cairn state get [--prefix TEXT]')
})

it('tells its version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect((await cairn.run(['--version'])).out).toBe(`${version}\n`)
})
