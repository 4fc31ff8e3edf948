import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import { type Config, loadConfig } from '../../src/home/config.ts'
import { trust } from '../../src/home/trust.ts'
import { workflowFrom } from '../../src/surfaces/cli/workflow/workflow-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'cairn-workflow-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const config = loadConfig({ home: join(folder, 'home') }) as Config
let files = 0

function written(text: string, name = `w${++files}.yaml`): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

async function refusalOf(text: string, name?: string) {
  const error = await workflowFrom(written(text, name), config).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(CairnRefusal)
  return (error as CairnRefusal).refusal
}

describe('S1-29 a workflow file', () => {
  it('is YAML, or JSON', async () => {
    const yaml = await workflowFrom(
      written(
        'objective: Make it faster\nagents:\n  - { id: a, run: [sh, -c, "exit 0"] }\n  - id: b\n    run: [x]\n    depends_on: [a]\n    timeout: 90\n',
      ),
      config,
    )
    expect(yaml.topic).toBe('Make it faster')
    expect(yaml.read.agents).toMatchObject([{ id: 'a' }, { id: 'b', timeout: 90_000, depends_on: ['a'] }])
    const json = await workflowFrom(written('{"agents": [{"id": "a", "run": ["x"]}]}', 'plain.json'), config)
    expect(json.topic).toBe('plain.json')
  })

  it('may use anchors and comments', async () => {
    const text = 'agents:\n  # the first\n  - &a { id: a, run: [x], retries: 0 }\n  - { id: b, run: *r }\n'
    const refusal = await refusalOf(text)
    expect(refusal.message).toMatch(/alias/i)
    const { read } = await workflowFrom(
      written('agents:\n  - { id: a, run: &r [x] }\n  - { id: b, run: *r }\n'),
      config,
    )
    expect(read.agents[1]).toMatchObject({ run: ['x'] })
  })

  it.each<[string, string, string, number, number]>([
    [
      'an unknown dependency',
      'agents:\n  - { id: a, run: [x] }\n  - id: b\n    run: [x]\n    depends_on:\n      - a\n      - z\n',
      'unknown_dependency',
      7,
      9,
    ],
    ['an unknown field', 'agents:\n  - id: a\n    run: [x]\n    tries: 3\n', 'invalid_input', 4, 5],
    ['a wrong value', 'agents:\n  - id: a\n    run: [x]\n    timeout: soon\n', 'invalid_input', 4, 5],
    ['a missing member', 'agents:\n  - id: a\n    run: [x]\n  - run: [y]\n', 'invalid_input', 4, 5],
    [
      'a cycle',
      'agents:\n  - id: a\n    run: [x]\n    depends_on: [b]\n  - id: b\n    run: [x]\n    depends_on: [a]\n',
      'cycle',
      4,
      5,
    ],
    [
      'a condition',
      'phases:\n  - name: A\n    when: state.x =\n    agents: [{ id: a, run: [x] }]\n',
      'invalid_input',
      3,
      5,
    ],
    ['a list of nothing', '', 'invalid_input', 1, 1],
    ['a broken line', 'agents:\n  - id: a\n   run: [x]\n', 'invalid_input', 3, 1],
    ['an open bracket', 'agents: [\n', 'invalid_input', 2, 1],
    ['a key given twice', 'agents:\n  - id: a\n    id: b\n    run: [x]\n', 'invalid_input', 3, 5],
    ['a tag', 'agents:\n  - id: !!js/function a\n    run: [x]\n', 'invalid_input', 2, 9],
    ['two documents', 'agents: [{ id: a, run: [x] }]\n---\nagents: []\n', 'invalid_input', 2, 1],
    ['JSON', '{"agents": [\n  {"id": "a", "run": ["x"],\n   "depends_on": ["b"]}]}', 'unknown_dependency', 3, 19],
  ])('says line and column: %s', async (_, text, code, line, column) => {
    const refusal = await refusalOf(text)
    expect({ code: refusal.code, line: refusal.details.line, column: refusal.details.column }).toEqual({
      code,
      line,
      column,
    })
    expect(refusal.message).toContain(`:${line}:${column}: `)
  })

  it('is not unfolded without bound', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, at) =>
        `l${at}: &l${at} [${Array(10)
          .fill(`*l${at - 1}`)
          .join(', ')}]`,
    )
    const text = ['l: &l-1 x', ...levels, 'agents: []'].join('\n')
    const begun = await refusalOf(text)
    expect(begun.code).toBe('invalid_input')
  })

  it('of a git work tree counts once it is trusted, and until it changes', async () => {
    const work = join(folder, 'repository')
    mkdirSync(join(work, '.git'), { recursive: true })
    const path = join(work, 'w.yaml')
    const text = 'agents: [{ id: a, run: [x] }]\n'
    writeFileSync(path, text)
    await expect(workflowFrom(path, config)).rejects.toMatchObject({ code: 'not_trusted' })
    trust(config.home, [{ path, content: Buffer.from(text) }])
    await expect(workflowFrom(path, config)).resolves.toHaveProperty('read')
    writeFileSync(path, text.replace('[x]', '[y]'))
    await expect(workflowFrom(path, config)).rejects.toMatchObject({ code: 'not_trusted' })
  })

  it('that is not there is not found', async () => {
    await expect(workflowFrom(join(folder, 'none.yaml'), config)).rejects.toMatchObject({ code: 'not_found' })
  })
})
