import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
const defined: AnyOperation[] = Object.values(operations).flatMap((verbs) => Object.values(verbs))

/** What other operations build on, and nobody types. */
const withoutCommand = ['session.join', 'project.init', 'project.onboard', 'workflow.step', 'log.adopt']

it('every operation is a command and has its place in the help', async () => {
  const bare = await cairn.run(['help', '--all'])
  expect(bare).toMatchObject({ err: '', exit: 0 })
  const isCommand = ({ command }: AnyOperation) => command.words.length > 0
  expect(defined.filter((each) => !isCommand(each)).map(({ name }) => name)).toEqual(withoutCommand)
  for (const { command, summary } of defined.filter(isCommand)) {
    expect(bare.out).toContain(`  ${command.words[0]}`)
    expect(bare.out.replace(/\s+/g, ' ')).toContain(summary)
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

it('says on its own what it is and what to do first, in at most 25 lines', async () => {
  const { out, exit } = await cairn.run([])
  expect(exit).toBe(0)
  expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(25)
  for (const step of ['cairn tour', 'cairn setup', 'cairn ui', 'cairn help']) expect(out).toContain(step)
})

it('groups commands by topic', async () => {
  const [help, flag] = await Promise.all([cairn.run(['help']), cairn.run(['--help'])])
  expect(help).toEqual(flag)
  for (const title of ['Start', 'Look', 'Serve']) expect(help.out).toMatch(new RegExp(`^${title}$`, 'm'))
  expect(help.out).toContain('cairn help --all')
})

it('tells its version however it is asked', async () => {
  const asked = [['version'], ['-v'], ['-V'], ['--version']]
  const shown = await Promise.all(asked.map((args) => cairn.run(args)))
  for (const each of shown) expect(each).toEqual(shown[0])
  expect(shown[0]?.exit).toBe(0)
})

it('shows help of commands that are no operations, also with what stands after them', async () => {
  for (const line of ['mcp config --help', 'help mcp config', 'setup claude --help', 'completion bash --help']) {
    expect(await cairn.run(line.split(' '))).toMatchObject({ err: '', exit: 0, out: expect.stringContaining('Usage') })
  }
  expect(await cairn.answer(['completion', 'bash'])).toMatchObject({ shell: 'bash', script: expect.any(String) })
})

it('CAIRN_URL without a token is refused rather than ignored', async () => {
  const { document, exit } = await cairn.json(['ls'], { env: { CAIRN_URL: 'http://127.0.0.1:1' } })
  expect([document.error, exit]).toEqual(['unauthorized', 4])
})
