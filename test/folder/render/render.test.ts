// The files of a session folder: as they are meant to look, and that what is read back from them is what was written.
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { Refusal } from '../../../src/domain/log/refusal.ts'
import { parse, type Rendered, type RowsToRender, render } from '../../../src/folder/render/index.ts'
import { planFileSchema } from '../../../src/folder/render/plan-json-shape.ts'
import { ReplayedRoot } from '../../plan/replayed.ts'
import { seedOf } from '../../setup/seed.ts'
import { busyRoot, rowsOf } from './rendered.ts'

const golden = new URL('./golden/', import.meta.url)
const nothing = () => undefined

async function filesOf(rows: RowsToRender): Promise<Map<string, string>> {
  return new Map((await render(rows, nothing)).map(({ path, text }: Rendered) => [path, text]))
}

async function commandsOf(path: string, text: string, rows: RowsToRender) {
  const found = await parse(path, text, rows)
  if (found instanceof Refusal) throw new Error(`${found.code}: ${found.message}`)
  return found.map(({ operation, input }) => [operation, input])
}

async function refusedIn(path: string, text: string, rows: RowsToRender): Promise<Refusal> {
  const found = await parse(path, text, rows)
  if (!(found instanceof Refusal)) throw new Error(`${path} was taken: ${JSON.stringify(found)}`)
  return found
}

describe('the files of a session', () => {
  it('S4-13 S4-14 S4-15 S4-44 S4-45 S4-46 S2-2 to S2-23 look as in golden/ (UPDATE_GOLDEN=1 writes them)', async () => {
    for (const [path, text] of await filesOf(rowsOf(busyRoot()))) {
      const file = new URL(`${path}.golden`, golden)
      if (process.env.UPDATE_GOLDEN) writeFileSync(file, text)
      expect(text, path).toBe(readFileSync(file, 'utf8'))
    }
  })

  it('C18 what was rendered asks for nothing when it is read back', async () => {
    for (const rows of [rowsOf(busyRoot()), rowsOf(new ReplayedRoot('research'))]) {
      for (const [path, text] of await filesOf(rows)) expect(await commandsOf(path, text, rows), path).toEqual([])
    }
  })

  it('U41 conflict markers of git are refused in each', async () => {
    const rows = rowsOf(busyRoot())
    for (const [path, text] of await filesOf(rows)) {
      const merged = `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`
      expect(await refusedIn(path, merged, rows), path).toMatchObject({ code: 'invalid_input' })
    }
  })
})

describe('plan.json', () => {
  const rows = rowsOf(busyRoot())
  interface Plan {
    phases: { name: string; plans?: string[] }[]
    checkpoints: { id?: number; text: string; status?: string }[]
    tasks: {
      id?: string
      text: string
      after?: string[]
      wave?: number
      status?: string
      phase?: string
      plan?: number
    }[]
  }
  const edited = async (change: (plan: Plan) => void) => {
    const plan = JSON.parse((await filesOf(rows)).get('plan.json') ?? '') as Plan
    change(plan)
    return JSON.stringify(plan)
  }

  it('C1 S4-14 an edit is what operations it asks for: new tasks in an order that can be, then what has changed', async () => {
    const text = await edited((plan) => {
      plan.phases.push({ name: 'Polish', plans: ['Words'] })
      plan.checkpoints.push({ text: 'All of it', status: 'completed' })
      plan.tasks.unshift({ id: 'last', text: 'Ship', after: ['first', 'task-003'] })
      plan.tasks.push({ id: 'first', text: 'Polish it', phase: 'Polish', plan: 1, wave: 2 })
      const second = plan.tasks.find(({ id }) => id === 'task-002')
      Object.assign(second ?? {}, { status: 'done', after: ['task-001', 'first'] })
    })
    expect(await commandsOf('plan.json', text, rows)).toEqual([
      ['phase.add', { name: 'Polish' }],
      ['plan.add', { name: 'Words', phase: 'Polish' }],
      ['checkpoint.add', { text: 'All of it' }],
      ['checkpoint.complete', { checkpoint: 3 }],
      ['task.add', { text: 'Polish it', phase: 'Polish', plan: '1', wave: 2 }],
      ['task.add', { text: 'Ship', after: ['task-005', 'task-003'] }],
      ['task.after', { task: 'task-002', after: ['task-001', 'task-005'] }],
      ['task.done', { task: 'task-002' }],
    ])
  })

  it('U46 has a published schema (UPDATE_GOLDEN=1 writes it)', () => {
    const file = 'docs/schemas/plan.schema.json'
    if (process.env.UPDATE_GOLDEN) writeFileSync(file, `${JSON.stringify(planFileSchema, null, 2)}\n`)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(planFileSchema)
  })

  it('U24 U25 refuses cycles, spelled out, unknown dependencies, and tasks that are taken away', async () => {
    const cycle = await edited(({ tasks }) => {
      tasks.push({ id: 'a', text: 'a', after: ['b'] }, { id: 'b', text: 'b', after: ['a'] })
    })
    expect(await refusedIn('plan.json', cycle, rows)).toMatchObject({
      code: 'cycle',
      message: 'These tasks would wait for each other: a → b → a.',
    })
    const unknown = await edited(({ tasks }) => void tasks.push({ text: 'a', after: ['nobody'] }))
    expect(await refusedIn('plan.json', unknown, rows)).toMatchObject({ code: 'unknown_dependency' })
    for (const text of ['', '{', '[]', '{"a": 1}', '{"tasks": 1, "tasks": 2}']) await refusedIn('plan.json', text, rows)
    const without = await edited(({ tasks }) => void tasks.pop())
    expect(await refusedIn('plan.json', without, rows)).toMatchObject({ details: { path: 'task-004' } })
    for (const place of [{ phase: 'docs' }, { plan: 2 }, { wave: 9 }]) {
      const moved = await edited(({ tasks }) => void Object.assign(tasks[0] ?? {}, place))
      expect((await refusedIn('plan.json', moved, rows)).message).toContain('of task-001 cannot be edited')
    }
    const entered = await edited(({ phases }) => void Object.assign(phases[3] ?? {}, { state: 'running' }))
    expect((await refusedIn('plan.json', entered, rows)).message).toContain('the state of docs')
    const other = await edited(({ tasks }) => void Object.assign(tasks[0] ?? {}, { text: 'Other' }))
    expect((await refusedIn('plan.json', other, rows)).message).toContain('the text of task-001')
  })
})

describe('STATE.md', () => {
  const rows = rowsOf(busyRoot())

  it('U42 keeps fields that are not its own, with their comments, and asks for what was edited', async () => {
    const before = (await filesOf(rows)).get('STATE.md') ?? ''
    const text = before
      .replace('  status: in_progress', '  status: reviewing\n  mood: good # so far')
      .replace('- statements', '- all statements')
      .replace('decisions:', 'ours: # kept\n  - 1\ndecisions:\n  - context: c\n    decision: d\n    reason: r')
      .replace('open_questions:', 'open_questions:\n    - Why?')
    expect(await commandsOf('STATE.md', text, rows)).toEqual([
      ['journal.position', { status: 'reviewing' }],
      ['journal.next', { text: 'Write the parser:\n- all statements\n- expressions' }],
      ['decision.add', { decision: 'd', context: 'c', reason: 'r' }],
      ['journal.update', { questions: ['Why?'] }],
    ])
    const again = await render(rows, (path) => (path === 'STATE.md' ? text : undefined))
    const kept = again.find(({ path }) => path === 'STATE.md')?.text ?? ''
    expect(kept).toContain('mood: good # so far')
    expect(parseYaml(kept)).toMatchObject({ ours: [1], position: { status: 'in_progress', mood: 'good' } })
    expect(await commandsOf('STATE.md', kept, rows)).toEqual([])
  })

  it('C18 refuses what is no YAML, bombs of aliases, and edits of what is counted', async () => {
    const bomb = `a: &a [1, 1]\n${'bcdefghij'
      .split('')
      .map((name, at) => `${name}: &${name} [*${'abcdefghi'[at]}, *${'abcdefghi'[at]}]`)
      .join('\n')}\n`
    for (const text of ['a: [', 'a: 1\na: 2', bomb]) await refusedIn('STATE.md', text, rows)
    const before = (await filesOf(rows)).get('STATE.md') ?? ''
    const counted = before.replace('phases_total: 5', 'phases_total: 6')
    expect(await refusedIn('STATE.md', counted, rows)).toMatchObject({ details: { path: 'progress' } })
  })
})

describe('spec.md', () => {
  it('C17 takes in its block, keeps all around it, and puts the block where there is none', async () => {
    const rows = rowsOf(busyRoot())
    const text = ((await filesOf(rows)).get('spec.md') ?? '')
      .replace('- Make', '- Our goal: make')
      .replace('- [ ] Streams too?', '- [ ] How long?\n- [x] Streams too? → No')
      .replace('Write the lexer by hand', 'Write the lexer by machine')
      .replace('### Write', '### Use one file\n\n**Rationale**: It is small.\n\n### Write')
    expect(await commandsOf('spec.md', text, rows)).toEqual([
      ['journal.update', { questions: ['How long?'] }],
      ['journal.answer', { question: 'question-002', answer: 'No' }],
      ['decision.add', { decision: 'Use one file', context: 'spec.md', reason: 'It is small.' }],
      [
        'decision.add',
        {
          decision: 'Write the lexer by machine',
          context: 'spec.md',
          reason: 'Tables are slow, as measured.',
          supersedes: 'decision-001',
        },
      ],
    ])
    const own = '# Mine\n\nMy words.\n'
    const added = (await render(rows, (path) => (path === 'spec.md' ? own : undefined))).at(-1)?.text ?? ''
    expect(added.startsWith(own)).toBe(true)
    expect(added).toContain('Write the lexer by hand')
    const unexplained = text.replace('**Rationale**: It is small.', '')
    expect(await refusedIn('spec.md', unexplained, rows)).toMatchObject({ code: 'invalid_input' })
  })
})

describe('files of anything', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== '')

  it('S4-5 U42 whatever texts there are, what was rendered asks for nothing when it is read back', async () => {
    let taken = 0
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 4, maxLength: 4 }), async ([a = '', b = '', c = '', d = '']) => {
        const root = new ReplayedRoot()
        const facts = [
          { stream: 'plan', type: 'task_added', data: { task: 1, text: a, wave: 1, after: [] } },
          { stream: 'plan', type: 'checkpoint_added', data: { checkpoint: 1, text: b } },
          { stream: 'journal', type: 'next_action_set', data: { text: `${c}\n${d}` } },
          { stream: 'journal', type: 'resume_context_changed', data: { questions: [d] } },
          { stream: 'journal', type: 'position_changed', data: { task: a, status: b } },
          {
            stream: 'journal',
            type: 'decision_made',
            data: { decision: 1, kind: 'preference', text: a, context: b, reason: c, reversible: true },
          },
        ]
        for (const fact of facts) if (root.take(fact as never) === undefined) taken += 1
        const rows = rowsOf(root)
        for (const [path, text] of await filesOf(rows)) expect(await commandsOf(path, text, rows), path).toEqual([])
      }),
      { numRuns: 150, seed: seedOf(20_261_118) },
    )
    expect(taken).toBeGreaterThan(300)
  })
})
