import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()
const env = { PATH: `${resolve('bin')}${delimiter}${process.env.PATH}`, HOME: cairn.folder, CAIRN_HOME: cairn.home }

beforeAll(async () => {
  await cairn.session('Speed up the parser', '--name', 'parser')
  await cairn.session('Measure it', '--name', 'profile one', '--parent', 'parser')
  for (const [key, value] of [
    ['plateau', 'by its key'],
    ['planet', 'another'],
    ['task:7', 'with a colon'],
    ['words of it', 'with spaces'],
  ] as const)
    await cairn.answer(['state', 'set', key, JSON.stringify(value)])
})

/** What is offered after a line, without what it means. */
async function offered(line: readonly string[], more: Record<string, string> = {}): Promise<string[]> {
  const { out, err, exit } = await cairn.run(['__complete', 'fish', ...line], { env: more })
  expect([err, exit]).toEqual(['', 0])
  return out.split('\n').flatMap((each) => each.split('\t')[0] || [])
}

/** The words of a line, of which the last is being typed, and what is offered among others. */
const LINES: [line: string[], among: string[]][] = [
  [[''], ['session', 'state', 'ls', 'help', 'tour', 'completion']],
  [['sta'], ['state']],
  [
    ['state', ''],
    ['get', 'set', 'increment', 'schema'],
  ],
  [
    ['state', 'schema', ''],
    ['set', 'ls', 'delete'],
  ],
  [['state', 'get', '--p'], ['--prefix']],
  [
    ['state', 'get', '--'],
    ['--at', '--prefix', '--session', '--json', '--home'],
  ],
  [
    ['session', 'create', '--type', ''],
    ['full', 'quick', 'research'],
  ],
  [['session', 'create', '--type=q'], ['--type=quick']],
  [
    ['state', 'get', 'pla'],
    ['planet', 'plateau'],
  ],
  [['state', 'get', 'task:'], ['task:7']],
  [['--json', 'state', 'increment', 'plat'], ['plateau']],
  [['state', 'get', '--session', 'profile one', 'plat'], ['plateau']],
  [['state', 'schema', 'set', 'word'], ['words of it']],
  [
    ['state', 'get', '--session', ''],
    ['parser', 'profile one'],
  ],
  [['state', 'get', '--session=par'], ['--session=parser']],
  [['use', 'prof'], ['profile one']],
  [['help', 'state', 'sch'], ['schema']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['setup', ''],
    ['claude', 'codex', 'cursor'],
  ],
  [['setup', 'claude', '--d'], ['--dry-run']],
]

describe('completion', () => {
  it.each(LINES)('offers after %j: %j', async (line, among) => {
    expect(await offered(line)).toEqual(expect.arrayContaining(among))
  })

  it('offers nothing that does not begin like the word, no flag twice, and no flag after --', async () => {
    expect(await offered(['state', 'get', 'plan'])).toEqual(['planet'])
    expect(await offered(['state', 'get', '--at', '3', '--a'])).not.toContain('--at')
    expect(await offered(['state', 'get', '--', '--'])).toEqual([])
    expect(await offered(['state', 'set', 'plateau', ''])).toEqual([])
    const [slug] = await offered(['use', '20'])
    expect(slug).toMatch(/_speed-up-the-parser_|_measure-it_/)
  })

  it('is silent and does nothing where there is nothing to offer or something is broken', async () => {
    const nowhere = resolve(cairn.folder, 'nowhere')
    expect(await offered(['state', 'get', ''], { CAIRN_HOME: nowhere })).toEqual([])
    expect(existsSync(nowhere)).toBe(false)
    expect(await offered(['state', 'get', ''], { CAIRN_STORE: 'postgres://nobody@127.0.0.1:1/none' })).toEqual([])
    expect(await offered(['state', 'get', ''], { CAIRN_STORE: 'no store' })).toEqual([])
    expect(await offered(['state', 'get', ''], { AGENT_SESSION_ID: 'nobody' })).toEqual([])
    expect(await offered(['no', 'such', 'command', ''])).toEqual([])
    expect(await cairn.run(['__complete', 'tcsh', 'state', ''])).toEqual({ out: '', err: '', exit: 0 })
    expect(await cairn.run(['__complete'])).toEqual({ out: '', err: '', exit: 0 })
  })

  it('has no script for other shells', async () => {
    for (const rest of [[], ['tcsh'], ['bash', 'zsh']]) {
      const { err, exit } = await cairn.run(['completion', ...rest])
      expect([err.includes('cairn completion bash|zsh|fish'), exit]).toEqual([true, 2])
    }
  })
})

/** Typed into a terminal, tabs and all; each line ends in a command that prints the value of the key it was completed to. */
const TYPED: [typed: string, value: string][] = [
  ['cairn state get plat\t', 'by its key'],
  ['cairn state\t ge\tplat\t', 'by its key'],
  ['cairn state get task:\t', 'with a colon'],
  ['cairn state get wor\t', 'with spaces'],
  ['cairn state get "wor\t', 'with spaces'],
  ['cairn state get --session=prof\tplat\t', 'by its key'],
  ['cairn state get --sess\tprof\tplat\t', 'by its key'],
]

const interactive: Record<'bash' | 'zsh', { start: string; load: string }> = {
  bash: { start: 'bash --norc --noprofile -i', load: 'source <(cairn completion bash)' },
  zsh: { start: 'zsh -f -i', load: 'autoload -Uz compinit; compinit -u -D; source <(cairn completion zsh)' },
}

/** Why a shell cannot be tried here. */
function lacking(...programs: string[]): string | undefined {
  const missing = programs.find((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
  return missing && `${missing} is not installed`
}

describe('in real shells', () => {
  for (const [shell, { start, load }] of Object.entries(interactive)) {
    it(`${shell} completes commands, flags, keys and sessions as they are typed`, (test) => {
      const reason = lacking(shell, 'script')
      if (reason !== undefined) {
        console.warn(`not tried: ${reason}`)
        return test.skip(reason)
      }
      const input = [load, ...TYPED.map(([typed]) => typed), 'exit', ''].join('\n')
      const run = spawnSync('script', ['-qefc', start, '/dev/null'], {
        input,
        env,
        cwd: cairn.project,
        encoding: 'utf8',
      })
      const printed = run.stdout.split(/\r?\n/).flatMap((line) => /(?:^|\r)"(.*)"\r?$/.exec(line)?.[1] ?? [])
      expect(printed, run.stdout).toEqual(TYPED.map(([, value]) => value))
    })
  }

  it('fish completes commands, flags, keys and sessions', (test) => {
    const reason = lacking('fish')
    if (reason !== undefined) {
      console.warn(`not tried: ${reason}`)
      return test.skip(reason)
    }
    const lines = [
      'cairn state',
      'cairn state get plat',
      'cairn state get --session=prof',
      'cairn state get --pref',
      'cairn state get wor',
    ]
    const asked = lines.map((line) => `complete -C '${line}'`).join('; ')
    const run = spawnSync('fish', ['-N', '-c', `cairn completion fish | source; ${asked}`], {
      env,
      cwd: cairn.project,
      encoding: 'utf8',
    })
    const words = run.stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0])
    expect(words, run.stderr).toEqual(['state', 'plateau', '--session=profile one', '--prefix', 'words of it'])
  })
})
