// `cairn run` and its sisters, as a person uses them: the built program with real processes.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Document, sandbox } from './sandbox.ts'

const cairn = sandbox()
let files = 0

/** Outside of the repository: nobody has to trust it. */
function workflow(value: object): string {
  return cairn.write(`w${++files}.json`, JSON.stringify(value))
}

/** A program that notes each time that it runs, and then does something. */
const noting = (id: string, then = 'true') => ({ id, run: ['sh', '-c', `echo ${id} >> ran; ${then}`] })

function ran(): string[] {
  const path = join(cairn.project, 'ran')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

function statuses({ agents }: Document): Record<string, string> {
  return Object.fromEntries(agents.map(({ id, status }: Document) => [id, status]))
}

/** Waits until a file of the project is there. */
async function untilThere(name: string): Promise<void> {
  await expect.poll(() => existsSync(join(cairn.project, name))).toBe(true)
}

/** What a command printed, when it has ended. */
async function endOf(child: ChildProcess): Promise<{ out: string; exit: number | null }> {
  let out = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    out += text
  })
  const [exit] = await once(child, 'close')
  return { out, exit }
}

describe('S1-35 cairn run', () => {
  it.each<[string, object, Record<string, string>, number]>([
    ['parallel', { agents: [noting('pa'), noting('pb')] }, { pa: 'completed', pb: 'completed' }, 0],
    [
      'sequential',
      { agents: [noting('sa'), noting('sb', 'exit 3'), noting('sc')].map((each) => ({ ...each, retries: 0 })) },
      { sa: 'completed', sb: 'failed', sc: 'skipped' },
      1,
    ],
    [
      'adaptive',
      { agents: [{ ...noting('ab'), depends_on: ['aa'] }, noting('aa')] },
      { ab: 'completed', aa: 'completed' },
      0,
    ],
    [
      'pipeline',
      { agents: [noting('la', 'echo one > $CAIRN_OUTPUT'), noting('lb', 'grep -q one $CAIRN_TASK_FILE')] },
      { la: 'completed', lb: 'completed' },
      0,
    ],
  ])('%s: agents are processes, and the exit code says how it ended', async (strategy, file, expected, code) => {
    const { document, exit } = await cairn.json(['run', workflow({ strategy, ...file })])
    expect(statuses(document)).toEqual(expected)
    expect(exit).toBe(code)
    expect(document).toMatchObject({
      session_id: expect.stringMatching(/^sess_/),
      status: code === 0 ? 'completed' : 'failed',
    })
    expect(Object.keys(document.agents[0]).sort()).toEqual(
      ['attempts', 'exit_code', 'id', 'name', 'session_id', 'status'].sort(),
    )
    for (const id of Object.keys(expected)) {
      expect(ran().filter((each) => each === id)).toHaveLength(expected[id] === 'skipped' ? 0 : 1)
    }
  })

  it('shows plain lines where nobody looks at a terminal, and what an agent wrote is not obeyed', async () => {
    const file = workflow({
      agents: [
        {
          id: 'red',
          run: ['sh', '-c', "printf '\\033]0;title\\007\\033[31mred\\033[0m\\rover\\n'; exit 4"],
          retries: 0,
        },
      ],
    })
    const { out, exit } = await cairn.run(['run', file])
    expect(exit).toBe(1)
    expect(out).toMatch(/red: failed/)
    expect(out).toMatch(/cairn logs \w+ --agent red/)
    expect(out).not.toContain('\u001b')
    const [root] = (await cairn.answer(['ls', '--all'])).sessions
    const logs = await cairn.run(['logs', root.session_id])
    expect(logs.out).toBe('over\n')
  })

  it.each<[string, string, string]>([
    ['an unknown dependency', '{"agents": [{"id": "a", "run": ["x"], "depends_on": ["b"]}]}', 'unknown_dependency'],
    ['a cycle', '{"agents": [{"id": "a", "run": ["x"], "depends_on": ["a"]}]}', 'cycle'],
    ['no workflow', '{"agent": []}', 'invalid_input'],
  ])('refuses %s with its place, and makes no session', async (_, text, code) => {
    const before = (await cairn.answer(['ls', '--all'])).sessions.length
    const { document, exit } = await cairn.json(['run', cairn.write(`bad${++files}.json`, text)])
    expect(exit).toBe(4)
    expect(document).toMatchObject({ error: code, line: 1 })
    expect((await cairn.answer(['ls', '--all'])).sessions).toHaveLength(before)
  })

  it('refuses a file of a repository until it is trusted', async () => {
    const inside = cairn.write('project/w.json', JSON.stringify({ agents: [noting('trusted')] }))
    expect((await cairn.json(['run', inside])).document).toMatchObject({ error: 'not_trusted' })
    expect(ran()).not.toContain('trusted')
    await cairn.answer(['trust', inside, '--yes'])
    expect((await cairn.json(['run', inside])).exit).toBe(0)
    expect(ran()).toContain('trusted')
  })

  it('S1-8 the first Ctrl-C interrupts agents; resumed, they go on, and nothing is repeated that was completed', async () => {
    const stops = 'if [ -e go ]; then exit 0; fi; touch begun; exec sleep 1000'
    const file = workflow({ agents: [noting('first'), { ...noting('long', stops), depends_on: ['first'] }] })
    const child = cairn.spawn(['run', file, '--json'])
    onTestFinished(() => void child.kill('SIGKILL'))
    const end = endOf(child)
    await untilThere('begun')
    child.kill('SIGINT')
    const { out, exit } = await end
    expect(exit).toBe(1)
    const stopped = JSON.parse(out)
    expect(stopped.status).toBe('paused')
    expect(statuses(stopped)).toEqual({ first: 'completed', long: 'resumable' })
    const plan = await cairn.answer(['resume', stopped.session_id, '--dry-run'])
    expect(plan.would_resume).toMatchObject([{ session_id: stopped.session_id, status: 'paused' }])
    cairn.write('project/go', '')
    const again = await cairn.json(['resume', stopped.session_id])
    expect(again.exit).toBe(0)
    expect(statuses(again.document)).toEqual({ first: 'completed', long: 'completed' })
    expect(ran().filter((id) => id === 'first')).toHaveLength(1)
    expect(ran().filter((id) => id === 'long')).toHaveLength(2)
  })

  it('with --detach a server runs it in the background; status, watch and logs show it', async () => {
    onTestFinished(async () => void (await cairn.run(['down'])))
    const file = workflow({ agents: [noting('back', 'echo hello; while [ ! -e done ]; do sleep 0.1; done')] })
    const { document, exit } = await cairn.json(['run', file, '--detach', '--max-parallel', '3'])
    expect(exit).toBe(0)
    const session = document.session_id
    await expect.poll(async () => (await cairn.run(['logs', session])).out).toBe('hello\n')
    const watching = endOf(cairn.spawn(['watch', session]))
    cairn.write('project/done', '')
    const { out } = await watching
    expect(out).toMatch(/back: completed/)
    const status = await cairn.answer(['status', session])
    expect(status).toMatchObject({ session: { status: 'completed' }, progress: 1 })
  })

  it('S1-10 the demo pauses, kills a server, and comes to exact results', async () => {
    const { document, exit } = await cairn.json(['demo'])
    expect(document.checks).toHaveLength(4)
    for (const { name, expected, found } of document.checks) expect(found, name).toBe(expected)
    expect([document.ok, exit]).toEqual([true, 0])
  })

  it('prints the schema of its files', async () => {
    const { out } = await cairn.run(['run', '--schema'])
    expect(JSON.parse(out)).toEqual(JSON.parse(readFileSync('docs/schemas/workflow.schema.json', 'utf8')))
  })
})
