import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../../src/domain/log/limits.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { type Extending, readExtension } from '../../src/domain/workflow/file/extend.ts'
import { readWorkflow, type WorkflowRead } from '../../src/domain/workflow/file/read.ts'
import { settledAgent } from '../../src/domain/workflow/settled.ts'
import { outputsNamed, withOutputs } from '../../src/domain/workflow/template.ts'
import { compile } from '../../src/json/schema/compile.ts'
import type { Json } from '../../src/json/value.ts'
import { seedOf } from '../setup/seed.ts'

function read(value: unknown): WorkflowRead {
  const workflow = readWorkflow(value, defaultLimits)
  if (workflow instanceof Refusal) throw new Error(JSON.stringify(workflow))
  return workflow
}

const run = ['true']
const agent = (id: string, more: object = {}) => ({ id, run, ...more })

/** The workflow of CONTRACT 6. */
const example = {
  objective: 'Make the parser faster',
  strategy: 'adaptive',
  max_parallel: 4,
  defaults: { timeout: '2h', idle_timeout: '30m', retries: 2, on_failure: 'skip' },
  agents: [
    { id: 'profile', role: 'researcher', task: 'Find the hot paths', run: ['sh', '-c', './profile.sh'] },
    {
      id: 'fix',
      role: 'worker',
      depends_on: ['profile'],
      use: 'claude',
      task: 'Speed up {{outputs.profile}}',
      approval: 'before',
    },
  ],
}

describe('S1-29 reading a workflow', () => {
  it('S1-33 gives every agent with what it says', () => {
    const { objective, workflow, agents } = read(example)
    expect(objective).toBe('Make the parser faster')
    expect(workflow).toEqual({
      strategy: 'adaptive',
      max_parallel: 4,
      defaults: { timeout: 7_200_000, idle_timeout: 1_800_000, retries: 2, on_failure: 'skip' },
    })
    expect(agents.map(({ id, role }) => [id, role])).toEqual([
      ['profile', 'researcher'],
      ['fix', 'worker'],
    ])
    expect(agents[1]).toMatchObject({ depends_on: ['profile'], use: 'claude', approval: 'before' })
  })

  it('U26 fills in what was left open: an agent before the defaults, the defaults before what is usual', () => {
    const { workflow, agents } = read({
      defaults: {
        timeout: 30,
        env: ['HOME', { A: 1, B: true }],
        budget: { usd: 2, tokens: 5 },
        backoff: { first: '5s' },
      },
      agents: [agent('a', { timeout: '1.5m', env: { A: 'own' }, budget: { usd: 1, wall: '1h' } }), agent('b')],
    })
    const [a, b] = agents.map((each) => settledAgent(each, workflow))
    expect(a).toMatchObject({
      timeout: 90_000,
      env: { pass: ['HOME'], set: { A: 'own', B: 'true' } },
      budget: { usd: 1, tokens: 5, wall: 3_600_000 },
      backoff: { first: 5000, factor: 2, max: 300_000 },
      retries: 2,
      adapter: 'command',
      pause: 'freeze',
    })
    expect(b).toMatchObject({ timeout: 30_000, role: 'worker', task: 'true', on_failure: 'skip', auto_resume: 'free' })
  })

  it('S1-21 numbers phases from where the plan stands, and keeps their conditions', () => {
    const value = {
      phases: [
        { name: 'Research', agents: [agent('a')] },
        { name: 'Build', when: 'state.ready == true', agents: [agent('b', { depends_on: ['a'] })] },
      ],
    }
    const later = readWorkflow(value, defaultLimits, 6) as WorkflowRead
    expect(later.workflow.phases).toEqual([
      { phase: 6, name: 'Research' },
      { phase: 7, name: 'Build', when: 'state.ready == true' },
    ])
    expect(later.agents.map(({ phase }) => phase)).toEqual([6, 7])
  })

  it('S1-22 makes the stages of a pipeline phases; without stages each agent is one', () => {
    const agents = ['a', 'b', 'c'].map((id) => agent(id))
    const staged = read({ strategy: 'pipeline', agents, stages: [['a', 'c'], ['b']] })
    expect(staged.workflow.phases?.map(({ name }) => name)).toEqual(['Stage 1', 'Stage 2'])
    expect(staged.agents.map(({ phase }) => phase)).toEqual([1, 2, 1])
    expect(read({ strategy: 'pipeline', agents }).agents.map(({ phase }) => phase)).toEqual([1, 2, 3])
    expect(read({ agents, stages: [['a', 'b', 'c']] }).workflow.strategy).toBe('pipeline')
  })

  it('gives an agent the program of its profile', () => {
    const { workflow, agents } = read({
      profiles: { tests: { adapter: 'command', run: ['npm', 'test'] }, quick: { adapter: 'claude', model: 'small' } },
      agents: [
        { id: 'a', use: 'tests', task: 'Run the tests' },
        { id: 'b', use: 'quick', task: 'Look at it' },
      ],
    })
    expect(agents.map((each) => settledAgent(each, workflow))).toMatchObject([
      { adapter: 'command', run: ['npm', 'test'] },
      { adapter: 'claude', profile: { model: 'small' } },
    ])
  })
})

describe('bad input: a workflow is refused before anything starts', () => {
  it.each<[string, unknown, string, string, string]>([
    ['no object', [], 'invalid_input', 'the input', 'an object'],
    ['no agents', { objective: 'x' }, 'invalid_input', 'agents', 'no agents'],
    ['an empty list', { agents: [] }, 'invalid_input', 'agents', 'no agents'],
    ['both forms', { agents: [agent('a')], phases: [] }, 'invalid_input', 'phases', 'both'],
    ['an unknown field', { agent: [agent('a')] }, 'invalid_input', 'agent', 'Unknown field "agent"'],
    [
      'a misspelt field',
      { agents: [agent('a', { depend_on: [] })] },
      'invalid_input',
      'agents[0].depend_on',
      'Unknown',
    ],
    [
      'a field in phases',
      { phases: [{ name: 'A', wen: 'x', agents: [] }] },
      'invalid_input',
      'phases[0].wen',
      'Unknown',
    ],
    ['an id given twice', { agents: [agent('a'), agent('a')] }, 'already_exists', 'agents[1].id', 'given twice'],
    ['ids alike', { agents: [agent('é'), agent('E\u0301')] }, 'already_exists', 'agents[1].id', 'not case-sensitive'],
    ['an id of spaces', { agents: [agent('a b')] }, 'invalid_input', 'agents[0].id', 'not a valid id'],
    ['an id like an id', { agents: [agent('deadbeef')] }, 'invalid_input', 'agents[0].id', 'mistaken'],
    [
      'a control character',
      { agents: [agent('a', { role: 'a\u001b[2J' })] },
      'invalid_input',
      'agents[0].role',
      'control',
    ],
    ['nothing to run', { agents: [{ id: 'a', task: 'x' }] }, 'invalid_input', 'agents[0]', 'nothing to run'],
    ['run as text', { agents: [{ id: 'a', run: 'npm test' }] }, 'invalid_input', 'agents[0].run', 'a list'],
    ['an empty program', { agents: [{ id: 'a', run: [''] }] }, 'invalid_input', 'agents[0].run', 'no program'],
    ['run and use', { agents: [agent('a', { use: 'claude' })] }, 'invalid_input', 'agents[0].use', 'both'],
    [
      'an unknown profile',
      { agents: [{ id: 'a', use: 'clade', task: 'x' }] },
      'invalid_input',
      'agents[0].use',
      'clade',
    ],
    ['use without task', { agents: [{ id: 'a', use: 'claude' }] }, 'invalid_input', 'agents[0]', 'no task'],
    [
      'command without run',
      { agents: [{ id: 'a', use: 'command', task: 'x' }] },
      'invalid_input',
      'agents[0].use',
      'nei',
    ],
    [
      'a profile without program',
      { profiles: { p: { adapter: 'command' } }, agents: [agent('a')] },
      'invalid_input',
      'profiles.p.run',
      'no program',
    ],
    [
      'an unknown dependency',
      { agents: [agent('profile'), agent('b', { depends_on: ['profil'] })] },
      'unknown_dependency',
      'agents[1].depends_on[0]',
      'no such agent',
    ],
    [
      'an unknown output',
      { agents: [agent('a', { task: 'x {{ outputs.b }}' })] },
      'unknown_dependency',
      'agents[0].task',
      'needs b',
    ],
    ['itself', { agents: [agent('a', { depends_on: ['a'] })] }, 'cycle', 'agents[0].depends_on', 'a → a'],
    [
      'a cycle',
      {
        agents: [
          agent('x'),
          agent('a', { depends_on: ['b'] }),
          agent('b', { depends_on: ['x', 'c'] }),
          agent('c', { depends_on: ['a'] }),
        ],
      },
      'cycle',
      'agents[1].depends_on',
      'a → b → c → a',
    ],
    [
      'a sequence against its dependencies',
      { strategy: 'sequential', agents: [agent('a', { depends_on: ['b'] }), agent('b')] },
      'cycle',
      'agents[0].depends_on',
      'a → b → a',
    ],
    [
      'a later phase',
      {
        phases: [
          { name: 'A', agents: [agent('a', { depends_on: ['b'] })] },
          { name: 'B', agents: [agent('b')] },
        ],
      },
      'cycle',
      'phases[0].agents[0].depends_on[0]',
      'a later phase',
    ],
    [
      'phases of one name',
      {
        phases: [
          { name: 'A', agents: [] },
          { name: 'A', agents: [] },
        ],
      },
      'already_exists',
      'phases[1].name',
      'twice',
    ],
    [
      'a condition',
      { phases: [{ name: 'A', when: 'state.x = 1', agents: [agent('a')] }] },
      'invalid_input',
      'phases[0].when',
      'character 9',
    ],
    ['a duration', { agents: [agent('a', { timeout: 'soon' })] }, 'invalid_input', 'agents[0].timeout', '"soon"'],
    [
      'no time at all',
      { agents: [agent('a', { timeout: 0 })] },
      'invalid_input',
      'agents[0].timeout',
      'longer than nothing',
    ],
    ['a negative one', { agents: [agent('a', { timeout: -5 })] }, 'invalid_input', 'agents[0].timeout', 'duration'],
    [
      'an endless one',
      { agents: [agent('a', { idle_timeout: '4000d' })] },
      'invalid_input',
      'agents[0].idle_timeout',
      '366d',
    ],
    ['retries', { defaults: { retries: -1 }, agents: [agent('a')] }, 'invalid_input', 'defaults.retries', 'from 0'],
    [
      'a backoff',
      { agents: [agent('a', { backoff: { first: '2s', max: '1s' } })] },
      'invalid_input',
      'agents[0].backoff',
      'longest',
    ],
    ['a budget', { budget: { usd: 0 }, agents: [agent('a')] }, 'invalid_input', 'budget.usd', 'above 0'],
    ['max_parallel', { max_parallel: 0, agents: [agent('a')] }, 'invalid_input', 'max_parallel', 'from 1'],
    ['a variable', { agents: [agent('a', { env: ['A=1'] })] }, 'invalid_input', 'agents[0].env[0]', 'A=1'],
    [
      'an absolute path',
      { agents: [agent('a', { cwd: '/etc' })] },
      'invalid_input',
      'agents[0].cwd',
      'folder of the project',
    ],
    [
      'a path that leads out',
      { agents: [agent('a', { cwd: 'a/../..' })] },
      'invalid_input',
      'agents[0].cwd',
      'project',
    ],
    [
      'stages without pipeline',
      { strategy: 'parallel', agents: [agent('a')], stages: [['a']] },
      'invalid_input',
      'stages',
      'stages',
    ],
    ['two stages', { agents: [agent('a')], stages: [['a'], ['a']] }, 'invalid_input', 'stages[1][0]', 'two stages'],
    ['no stage', { agents: [agent('a'), agent('b')], stages: [['a']] }, 'invalid_input', 'agents[1]', 'no stage'],
    ['an unknown stage', { agents: [agent('a')], stages: [['a', 'z']] }, 'invalid_input', 'stages[0][1]', 'no agent z'],
    ['a strategy', { strategy: 'chaos', agents: [agent('a')] }, 'invalid_input', 'strategy', 'one of'],
  ])('%s', (_, value, code, path, says) => {
    const refusal = readWorkflow(value, defaultLimits)
    expect(refusal).toBeInstanceOf(Refusal)
    const { code: found, message, hint, details } = refusal as Refusal
    expect({ code: found, path: details.path ?? '' }).toEqual({ code, path })
    expect(message).toContain(says)
    expect(hint).not.toBe('')
  })

  it('suggests what may be meant', () => {
    const hintOf = (value: unknown) => (readWorkflow(value, defaultLimits) as Refusal).hint
    expect(hintOf({ agents: [agent('a', { depend_on: [] })] })).toContain('Did you mean depends_on?')
    expect(hintOf({ agents: [{ id: 'a', use: 'claud', task: 'x' }] })).toContain('Did you mean claude?')
    expect(hintOf({ agents: [agent('profile'), agent('b', { depends_on: ['profle'] })] })).toContain(
      'Did you mean profile?',
    )
  })

  it('U8 more agents than a root may have sessions', () => {
    const agents = Array.from({ length: 10 }, (_, at) => agent(`a${at}`))
    expect(readWorkflow({ agents }, { ...defaultLimits, sessions: 10 })).toMatchObject({ code: 'invalid_input' })
    expect(readWorkflow({ agents }, { ...defaultLimits, sessions: 11 })).toHaveProperty('agents')
  })

  it('U25 any graph is read or has a cycle that is one', () => {
    const graphs = fc
      .integer({ min: 1, max: 12 })
      .chain((count) =>
        fc.array(fc.uniqueArray(fc.nat(count - 1), { maxLength: 3 }), { minLength: count, maxLength: count }),
      )
    fc.assert(
      fc.property(graphs, (graph) => {
        const agents = graph.map((before, at) => agent(`n${at}`, { depends_on: before.map((each) => `n${each}`) }))
        const found = readWorkflow({ agents }, defaultLimits)
        if (!(found instanceof Refusal)) {
          expect(hasCycle(graph)).toBe(false)
          return
        }
        expect(found.code).toBe('cycle')
        const cycle = (found.details.cycle as string[]).map((id) => Number(id.slice(1)))
        expect(cycle.at(0)).toBe(cycle.at(-1))
        for (const [at, each] of cycle.slice(0, -1).entries()) expect(graph[each]).toContain(cycle[at + 1])
      }),
      { seed: seedOf(41), numRuns: 500 },
    )
  })

  it('a chain of all sessions is no recursion', () => {
    const agents = Array.from({ length: 9000 }, (_, at) =>
      agent(`n${at}`, at === 0 ? {} : { depends_on: [`n${at - 1}`] }),
    )
    expect(read({ agents: agents.reverse() }).agents).toHaveLength(9000)
  })
})

/** By taking away what depends on nothing that is left. */
function hasCycle(graph: readonly number[][]): boolean {
  const left = new Set(graph.keys())
  for (;;) {
    const free = [...left].filter((each) => !graph[each]?.some((before) => left.has(before)))
    if (free.length === 0) return left.size > 0
    for (const each of free) left.delete(each)
  }
}

describe('S1-65 extending a workflow', () => {
  const there: Extending = {
    workflow: {
      strategy: 'adaptive',
      profiles: { tests: { adapter: 'command', run: ['npm', 'test'] } },
      phases: [
        { phase: 1, name: 'Research' },
        { phase: 2, name: 'Build' },
      ],
    },
    agents: new Set(['a']),
    nextPhase: 3,
    openPhases: new Set([2]),
    profilesOnly: false,
  }

  it('takes new agents, phases and limits', () => {
    const value = {
      max_parallel: 2,
      phases: [{ name: 'Docs' }],
      agents: [agent('b', { phase: 'Docs', depends_on: ['a'] }), agent('c', { phase: 'Build' })],
    }
    expect(readExtension(value, there)).toMatchObject({
      extended: { max_parallel: 2, phases: [{ phase: 3, name: 'Docs' }] },
      agents: [
        { id: 'b', phase: 3 },
        { id: 'c', phase: 2 },
      ],
    })
  })

  it.each<[string, object, string]>([
    ['an id that is there', { agents: [agent('A', { phase: 'Build' })] }, 'already_exists'],
    ['an unknown dependency', { agents: [agent('b', { phase: 'Build', depends_on: ['z'] })] }, 'unknown_dependency'],
    ['a phase that is over', { agents: [agent('b', { phase: 'Research' })] }, 'illegal_transition'],
    ['an unknown phase', { agents: [agent('b', { phase: 'Buildd' })] }, 'invalid_input'],
    ['no phase', { agents: [agent('b')] }, 'invalid_input'],
    ['a phase that is there', { phases: [{ name: 'Build' }] }, 'already_exists'],
  ])('refuses %s', (_, value, code) => {
    expect(readExtension(value, there)).toMatchObject({ code })
  })

  it('U2 an agent chooses among the profiles that are there, and names no program', () => {
    const asAgent = { ...there, profilesOnly: true }
    const given = (more: object) => ({ agents: [{ id: 'b', phase: 'Build', task: 'x', ...more }] })
    expect(readExtension(given({ use: 'tests' }), asAgent)).toMatchObject({ agents: [{ use: 'tests' }] })
    for (const value of [
      given({ run: ['rm'] }),
      given({ use: 'claude' }),
      given({ use: 'tests', env: ['SECRET'] }),
      given({ use: 'tests', budget: { usd: 1000 } }),
      { profiles: { mine: { adapter: 'command', run: ['rm'] } } },
      { budget: { usd: 1000 } },
    ]) {
      expect(readExtension(value, asAgent)).toMatchObject({ code: 'forbidden' })
    }
  })
})

describe('the published JSON Schema', () => {
  const published = JSON.parse(readFileSync('docs/schemas/workflow.schema.json', 'utf8')) as Json

  it('is valid, and says yes and no where the check does', () => {
    const check = compile(published)
    if (check instanceof Refusal) throw new Error(check.message)
    expect(check(example as Json)).toBeUndefined()
    const faulty = [{ agents: [{ id: 'a', run: 'x' }] }, { agents: [agent('a', { timeout: 'soon' })] }, { agent: [] }]
    for (const value of faulty) {
      expect(check(value as Json)).toBeDefined()
      expect(readWorkflow(value, defaultLimits)).toBeInstanceOf(Refusal)
    }
  })
})

describe('results in a task', () => {
  it('are named, and put in as they are', () => {
    const task = 'Use {{outputs.a}}, {{ outputs.b-2 }} and {{outputs.a}}; {{other}}'
    expect(outputsNamed(task)).toEqual(['a', 'b-2'])
    const says: Record<string, string> = { a: '$& {{outputs.b-2}}', 'b-2': 'two' }
    expect(withOutputs(task, (id) => says[id] ?? '')).toBe(
      'Use $& {{outputs.b-2}}, two and $& {{outputs.b-2}}; {{other}}',
    )
  })
})
