// An agent that is killed at every commit of its run, and resumed: nothing is lost, and nothing of Cairn's happens twice.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openCairn } from '../../src/index.ts'
import { Sandbox } from '../cli/sandbox.ts'
import { type Body, StandInModel } from './stand-in-model.ts'

const prompt = 'Count and note.'
const isLong = process.env.CAIRN_LONG === '1'
const script = [
  {
    text: 'Counting.',
    calls: [
      { id: 'toolu_1', name: 'state_increment', input: { key: 'n' } },
      { id: 'toolu_2', name: 'state_append', input: { key: 'list', items: '["a"]' } },
    ],
  },
  {
    calls: [
      { id: 'toolu_3', name: 'note', input: { line: 'x' } },
      { id: 'toolu_4', name: 'state_increment', input: { key: 'n' } },
    ],
  },
  { text: 'All done.' },
]

/** One agent after the other, each in a store of its own. */
class Trial {
  readonly cli = new Sandbox()
  readonly model = new StandInModel()
  readonly notes = join(this.cli.folder, 'notes.txt')
  readonly servers = this.cli.write(
    'servers.json',
    JSON.stringify({
      mcpServers: {
        notes: { command: process.execPath, args: [resolve('test/agent/foreign-server.mjs'), this.notes] },
      },
    }),
  )

  /** Runs the agent; says whether it came to its end. */
  async agent(args: readonly string[], failpoint?: string): Promise<boolean> {
    const env = {
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: this.model.url,
      ANTHROPIC_MODEL: 'stand-in',
      ...(failpoint && { CAIRN_FAILPOINT: failpoint }),
    }
    const { exit, err, out } = await this.cli.run(['agent', '--json', '--mcp', this.servers, ...args], { env })
    if (exit === 0) expect(JSON.parse(out)).toMatchObject({ text: 'All done.' })
    else if (exit !== null && exit !== 6) throw new Error(`exit ${exit}: ${err}`)
    return exit === 0
  }

  /** The session of the agent, if it has come so far that what it was asked is recorded. */
  async begun(): Promise<string | undefined> {
    const cairn = await openCairn({ home: this.cli.home })
    try {
      const { sessions } = await cairn.session.list({ all: true })
      for (const root of sessions) {
        const { children } = await cairn.session.show({ session: root.session_id })
        for (const session of children) {
          const { messages } = (await cairn.context.show({ session })) as unknown as { messages: object[] }
          if (messages.length > 0) return session
        }
      }
      return undefined
    } finally {
      await cairn.close()
    }
  }

  /** What was done, and what the model was sent in the end. */
  async outcome(session: string) {
    const cairn = await openCairn({ home: this.cli.home })
    try {
      const { state } = await cairn.state.all({ session })
      const { runs } = await cairn.run.list({ session })
      expect(runs.filter(({ ended_at }) => ended_at === null)).toEqual([])
      const notes = existsSync(this.notes) ? readFileSync(this.notes, 'utf8').split('\n').length - 1 : 0
      return { state, notes, messages: this.model.requests.at(-1)?.body.messages as Body[] }
    } finally {
      await cairn.close()
    }
  }

  async remove(): Promise<void> {
    await this.model.close()
    this.cli.remove()
  }
}

const trials = new Set<Trial>()
afterAll(async () => {
  for (const trial of trials) await trial.remove()
})

async function newTrial(): Promise<Trial> {
  const trial = new Trial()
  trials.add(trial)
  trial.model.script = script
  await trial.model.listen()
  return trial
}

/** The results of one turn in the order of their calls; one that nobody knows, as if it were known. */
function withoutMarks(messages: Body[], expected: Body[]): { messages: Body[]; isMarked: boolean } {
  const known = expected.flatMap(({ content }) => content).find((block) => block.tool_use_id === 'toolu_3')
  const isMarked = JSON.stringify(messages).includes('outcome unknown: interrupted')
  const asKnown = (block: Body) => (isMarked && block.tool_use_id === 'toolu_3' ? known : block)
  const byCall = (one: Body, other: Body) => String(one.tool_use_id ?? '').localeCompare(other.tool_use_id ?? '')
  const clean = messages.map(({ role, content }) => ({
    role,
    content: Array.isArray(content) ? content.map(asKnown).sort(byCall) : content,
  }))
  return { messages: clean, isMarked }
}

it('S3-57 is sent what an unkilled run sends, and each tool of Cairn takes effect once', {
  timeout: 300_000,
}, async () => {
  const unkilled = await newTrial()
  expect(await unkilled.agent([prompt])).toBe(true)
  const expected = await unkilled.outcome((await unkilled.begun()) as string)
  expect(expected).toMatchObject({ state: { n: 2, list: ['a'] }, notes: 1 })
  const points = isLong ? ['begin', 'commit', 'answer'] : ['commit', 'answer']
  let next = 0
  let isOver = false
  let killed = 0
  const work = async () => {
    while (!isOver) {
      const step = ++next
      const point = points[step % points.length] as string
      for (const each of isLong ? points : [point]) {
        if (!(await survives(`${each}:kill@${step}`))) killed++
        else if (each === point) isOver = true
      }
    }
  }
  async function survives(failpoint: string): Promise<boolean> {
    const trial = await newTrial()
    const isWhole = await trial.agent([prompt], failpoint)
    const begun = await trial.begun()
    let session = begun
    if (begun === undefined) expect(await trial.agent([prompt])).toBe(true)
    else if (!isWhole) expect(await trial.agent(['--resume', begun])).toBe(true)
    session ??= await trial.begun()
    const { state, notes, messages } = await trial.outcome(session as string)
    const sent = withoutMarks(messages, expected.messages)
    expect({ failpoint, state, messages: sent.messages }).toEqual({
      failpoint,
      state: expected.state,
      messages: expected.messages,
    })
    expect(sent.isMarked ? [0, 1] : [1], failpoint).toContain(notes)
    trials.delete(trial)
    await trial.remove()
    return isWhole
  }
  await Promise.all([work(), work(), work()])
  process.stdout.write(`killed ${killed} times, in steps up to ${next}\n`)
  expect(killed).toBeGreaterThan(10)
})
