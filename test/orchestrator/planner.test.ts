import { describe, expect, it } from 'vitest'
import { settledAgent } from '../../src/domain/workflow/settled.ts'
import { crashes, fails, ok, World } from './world.ts'

const agent = (id: string, more: object = {}) => ({ id, run: ['x'], backoff: { first: '1s' }, ...more })
const chain = (...ids: string[]) => ids.map((id, at) => agent(id, at === 0 ? {} : { depends_on: [ids[at - 1]] }))

describe('S1-35 strategies', () => {
  it('S1-36 parallel starts all at once, and never more than max_parallel', () => {
    const agents = ['a', 'b', 'c'].map((id) => agent(id))
    const world = new World({ strategy: 'parallel', agents })
    expect(world.turn().moves.map(({ move }) => move)).toEqual(['start', 'start', 'start'])
    expect(new World({ strategy: 'parallel', max_parallel: 2, agents }).run().mostAtOnce).toBe(2)
  })

  it('S1-37 sequential starts one after another, in the order of the file', () => {
    const world = new World({ strategy: 'sequential', agents: ['c', 'a', 'b'].map((id) => agent(id)) }).run()
    expect(world.starts).toEqual(['c', 'a', 'b'])
    expect(world.mostAtOnce).toBe(1)
    expect(world.root.status).toBe('completed')
  })

  it('S1-37 sequential stops at a failure, unless that is passed over', () => {
    const agents = (more: object) => [agent('a', { retries: 0, ...more }), agent('b'), agent('c')]
    const scripts = (id: string) => (id === 'a' ? fails() : ok())
    expect(new World({ strategy: 'sequential', agents: agents({}) }, scripts).run().statuses()).toEqual({
      a: 'failed',
      b: 'skipped',
      c: 'skipped',
    })
    const passed = new World({ strategy: 'sequential', agents: agents({ on_failure: 'continue' }) }, scripts).run()
    expect(passed.statuses()).toEqual({ a: 'failed', b: 'completed', c: 'completed' })
  })

  it('S1-38 S1-43 adaptive starts each as soon as what it depends on has completed', () => {
    const agents = [
      agent('late', { depends_on: ['slow', 'quick'] }),
      agent('slow'),
      agent('quick'),
      agent('next', { depends_on: ['quick'] }),
    ]
    const world = new World({ agents }, (id) => ok(id === 'slow' ? 100 : 5)).run()
    expect(world.starts).toEqual(['slow', 'quick', 'next', 'late'])
  })

  it('S1-39 a pipeline hands on what a stage put out', () => {
    const agents = ['a', 'b', 'c'].map((id) => agent(id))
    const world = new World({ strategy: 'pipeline', agents, stages: [['a', 'c'], ['b']] }).run()
    expect(world.starts).toEqual(['a', 'c', 'b'])
    expect(world.acts.find(({ act, agent }) => act === 'launch' && agent === 2)).toMatchObject({ inputs: [1, 3] })
  })

  it('hands an agent the results of those it depends on', () => {
    const world = new World({ agents: chain('a', 'b') }).run()
    expect(world.acts.filter(({ act }) => act === 'launch')).toMatchObject([{ inputs: [] }, { inputs: [1] }])
  })
})

describe('S1-21 phases', () => {
  const phases = (when?: string) => [
    { name: 'Research', agents: [agent('a', { retries: 0 })] },
    { name: 'Build', ...(when && { when }), agents: [agent('b')] },
    { name: 'Docs', agents: [agent('c')] },
  ]

  it('S1-63 run one after another, each after a checkpoint', () => {
    const world = new World({ phases: phases() }).run()
    expect(world.log).toEqual([
      'phase 1 running', 'a start', 'launch a', 'a complete', 'phase 1 completed',
      'phase 2 running', 'b start', 'launch b', 'b complete', 'phase 2 completed',
      'phase 3 running', 'c start', 'launch c', 'c complete', 'phase 3 completed',
      'root completed',
    ]) // biome-ignore format: one line for each phase
    const checkpoints = world.moves.filter(({ move }) => move === 'checkpoint')
    expect(checkpoints.filter((each) => 'why' in each && each.why === 'phase')).toHaveLength(3)
  })

  it.each<[string, Record<string, boolean>, string]>([
    ['state.ready == true', { ready: true }, 'completed'],
    ['state.ready == true', { ready: false }, 'skipped'],
    ['state.ready == true', {}, 'skipped'],
  ])('S1-58 %s with %j: Build is %s, and Docs runs', (when, state, expected) => {
    const world = new World({ phases: phases(when) })
    world.state = state
    expect(world.planner.keysWatched).toEqual(['ready'])
    world.run()
    expect(world.statuses()).toEqual({ a: 'completed', b: expected, c: 'completed' })
    expect(world.root.phases[1]?.state).toBe(expected)
    expect(world.planner.keysWatched).toEqual(expected === 'skipped' ? ['ready'] : [])
    expect(world.root.status).toBe('completed')
  })

  it('after a failed phase none begins, and the reason is said', () => {
    const world = new World({ phases: phases() }, (id) => (id === 'a' ? fails() : ok())).run()
    expect(world.statuses()).toEqual({ a: 'failed', b: 'skipped', c: 'skipped' })
    expect(world.root.phases.map(({ state }) => state)).toEqual(['failed', 'skipped', 'skipped'])
    expect(world.row('c').reason).toBe('phase Docs: the phase Research failed')
    expect(world.root.status).toBe('failed')
  })

  it('S1-61 a phase that is retried keeps its completed agents, and the phases after it go on', () => {
    const file = {
      phases: [
        { name: 'A', agents: [agent('a'), agent('bad', { retries: 0 })] },
        { name: 'B', agents: [agent('b')] },
      ],
    }
    let works = false
    const world = new World(file, (id) => (id === 'bad' && !works ? fails() : ok())).run()
    expect(world.root.status).toBe('failed')
    works = true
    world.setRoot({ status: 'running' })
    world.set('bad', { status: 'created', attempts: 0, failures: 0, exited: undefined })
    world.set('b', { status: 'created' })
    world.run()
    expect(world.statuses()).toEqual({ a: 'completed', bad: 'completed', b: 'completed' })
    expect(world.starts).toEqual(['a', 'bad', 'bad', 'b'])
    expect(world.root.phases.map(({ state }) => state)).toEqual(['completed', 'completed'])
  })

  it('a paused phase starts nothing and its agents stand still', () => {
    const world = new World({ phases: phases() }, () => ok(1000))
    world.turn()
    const [first, ...others] = world.root.phases
    world.setRoot({ phases: [{ ...first!, state: 'paused' }, ...others] })
    expect(world.turn().acts).toMatchObject([{ act: 'freeze' }])
    world.setRoot({ phases: [{ ...first!, state: 'running' }, ...others] })
    expect(world.turn().acts).toMatchObject([{ act: 'thaw' }])
    expect(world.run().root.status).toBe('completed')
  })
})

describe('U24 what a failure means', () => {
  const agents = (on_failure: string) => [
    agent('a', { retries: 0, on_failure }),
    agent('b', { depends_on: ['a'] }),
    agent('c', { depends_on: ['b'] }),
    agent('other'),
  ]
  const scripts = (id: string) => (id === 'a' ? fails(10) : ok(50))

  it('skip: what depends on it is skipped, with the reason, and the rest goes on', () => {
    const world = new World({ agents: agents('skip') }, scripts).run()
    expect(world.statuses()).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', other: 'completed' })
    expect(world.row('a').reason).toBe('exit code 1')
    expect(world.row('b').reason).toBe('a, which it depends on, failed')
    expect(world.row('c').reason).toBe('b, which it depends on, was skipped')
    expect(world.root.status).toBe('failed')
    expect(world.moves.at(-1)).toMatchObject({ reason: '1 of 4 agents failed: a' })
  })

  it('fail: everything ends, and what runs is stopped', () => {
    const world = new World({ agents: agents('fail') }, scripts).run()
    expect(world.statuses()).toEqual({ a: 'failed', b: 'skipped', c: 'skipped', other: 'cancelled' })
    expect(world.acts).toContainEqual({ act: 'stop', agent: 4, run: expect.any(String), why: 'person' })
    expect(world.root.status).toBe('failed')
  })

  it('continue: what depends on it runs anyway', () => {
    const world = new World({ agents: agents('continue') }, scripts).run()
    expect(world.statuses()).toEqual({ a: 'failed', b: 'completed', c: 'completed', other: 'completed' })
    expect(world.root.status).toBe('failed')
  })

  it('a cancelled dependency is one that does not come', () => {
    const world = new World({ agents: agents('skip') }, () => ok(100))
    world.turn()
    world.set('a', { status: 'cancelled' })
    expect(world.turn().acts).toMatchObject([{ act: 'stop', agent: 1, why: 'person' }])
    world.run()
    expect(world.statuses()).toMatchObject({ b: 'skipped', c: 'skipped', other: 'completed' })
  })
})

describe('U26 U35 attempts', () => {
  it('three in all, with a longer wait each time', () => {
    const world = new World({ agents: [agent('a', { backoff: { first: '10s', factor: 3 } })] }, () => fails(1))
    const begun = world.now
    world.run()
    expect(world.starts).toHaveLength(3)
    expect(world.now - begun).toBe(40_003)
    expect(world.row('a')).toMatchObject({ status: 'failed', reason: 'exit code 1 (attempt 3 of 3)' })
    const before = world.moves.filter((move) => move.move === 'checkpoint' && move.why === 'recovery')
    expect(before, 'S1-66 a checkpoint before each recovery').toHaveLength(2)
  })

  it('one that works in the end is completed, and counts from 1 again after a retry by a person', () => {
    const world = new World({ agents: [agent('a')] }, (_, attempt) => (attempt < 3 ? fails() : ok())).run()
    expect(world.statuses()).toEqual({ a: 'completed' })
    expect(world.moves.flatMap((move) => (move.move === 'start' ? [move.attempt] : []))).toEqual([1, 2, 3])
  })

  it('without a result where one is required it has failed', () => {
    const world = new World({ agents: [agent('a', { result: 'required', retries: 0 })] }, () => ok(), {
      hasResults: false,
    })
    expect(world.run().row('a')).toMatchObject({ status: 'failed', reason: 'it ended without a result' })
  })
})

describe('C21 limits of time', () => {
  it('ends a run that takes too long or is silent too long, and tries again', () => {
    const world = new World({ agents: [agent('a', { timeout: '1m', retries: 1 })] }, () => ok(10 * 60_000)).run()
    expect(world.acts.filter(({ act }) => act === 'stop')).toMatchObject([{ why: 'timeout' }, { why: 'timeout' }])
    expect(world.row('a')).toMatchObject({ status: 'failed', reason: 'timed out after 60 s (attempt 2 of 2)' })
    const silent = new World({ agents: [agent('a', { idle_timeout: '10s', retries: 0 })] }, () => ok(60_000)).run()
    expect(silent.row('a').reason).toBe('was silent for 10 s')
  })

  it('output and writes are signs of life', () => {
    const world = new World({ agents: [agent('a', { idle_timeout: '10s' })] }, () => ok(60_000))
    world.turn()
    for (let second = 5; second < 60; second += 5) {
      world.now = 1_000_000 + second * 1000
      world.planner.active(1, world.now)
      expect(world.turn().acts).toEqual([])
    }
    world.advance()
    expect(world.run().statuses()).toEqual({ a: 'completed' })
  })

  it('paused time does not count', () => {
    const file = { agents: [agent('a', { timeout: '30s', idle_timeout: '30s', retries: 0 })] }
    const world = new World(file, () => ok(20_000))
    world.turn()
    world.now += 10_000
    world.set('a', { held: true })
    expect(world.turn().acts).toMatchObject([{ act: 'freeze' }])
    expect(world.turn().remindAt).toBeUndefined()
    world.now += 3_600_000
    expect(world.turn().acts).toEqual([])
    world.set('a', { held: false })
    world.turn()
    expect(world.run().statuses()).toEqual({ a: 'completed' })
  })

  it('FAULTS 46 neither does the time that the machine slept', () => {
    const world = new World({ agents: [agent('a', { timeout: '30s', retries: 0 })] }, () => ok(20_000))
    world.turn()
    world.now += 86_400_000
    expect(world.turn().acts).toEqual([])
    expect(world.run().statuses()).toEqual({ a: 'completed' })
  })

  it('FAULTS 45 a clock that goes back ends nothing', () => {
    const world = new World({ agents: [agent('a', { timeout: '30s', retries: 0 })] }, () => ok(20_000))
    world.turn()
    world.now -= 3_600_000
    expect(world.turn().acts).toEqual([])
    expect(world.run().statuses()).toEqual({ a: 'completed' })
  })

  it('after 30 minutes of silence a person is told once, and the agent goes on', () => {
    const world = new World({ agents: [agent('a')] }, () => ok(2 * 3_600_000)).run()
    const needs = world.moves.filter(({ move }) => move === 'need')
    expect(needs).toMatchObject([{ agent: 1, raises: { kind: 'stale' } }])
    expect(world.statuses()).toEqual({ a: 'completed' })
  })
})

describe('budgets', () => {
  it.each<[object, object]>([
    [{ tokens: 100 }, { tokens: 100, usd: 0 }],
    [{ usd: 1.5 }, { tokens: 0, usd: 1.6 }],
  ])('of an agent: %j', (budget, used) => {
    const world = new World({ agents: [agent('a', { budget })] }, () => ok(10_000))
    world.turn()
    world.planner.used(1, used as never)
    world.row('a').used = used as never
    world.run()
    expect(world.acts).toContainEqual({ act: 'stop', agent: 1, run: 'run-1', why: 'budget' })
    expect(world.row('a')).toMatchObject({ status: 'failed', reason: 'its budget is used up' })
    expect(world.starts).toHaveLength(1)
  })

  it('the time of an agent is that of all its runs', () => {
    const file = { agents: [agent('a', { budget: { wall: '25s' }, retries: 9, backoff: { first: '1h', max: '1h' } })] }
    const world = new World(file, () => fails(10_000)).run()
    expect(world.starts).toHaveLength(3)
    expect(world.acts.at(-1)).toMatchObject({ act: 'stop', why: 'budget' })
  })

  it('over the tree: what runs is stopped, and nothing more begins', () => {
    const agents = [agent('a'), agent('b'), agent('c', { depends_on: ['a'] })]
    const world = new World({ budget: { usd: 2 }, agents }, () => ok(10_000))
    world.turn()
    for (const no of [1, 2]) {
      world.planner.used(no, { tokens: 0, usd: 1 })
      Object.assign(world.rows.get(no) as object, { used: { tokens: 0, usd: 1 } })
    }
    world.run()
    expect(world.statuses()).toEqual({ a: 'failed', b: 'failed', c: 'skipped' })
    expect(world.row('c').reason).toBe('the budget of the workflow is used up: 2 US dollars')
    expect(world.root.status).toBe('failed')
  })

  it('over the tree, by the clock', () => {
    const world = new World({ budget: { wall: '1m' }, agents: chain('a', 'b', 'c') }, () => ok(40_000)).run()
    expect(world.statuses()).toEqual({ a: 'completed', b: 'failed', c: 'skipped' })
    expect(world.now - world.root.startedAt).toBe(60_000)
  })
})

describe('parked work has no process, and is woken', () => {
  it('approval before: asked once, started when approved', () => {
    const world = new World({ agents: [agent('a', { approval: 'before' }), agent('b', { depends_on: ['a'] })] }).run()
    expect(world.starts).toEqual([])
    expect(world.moves).toMatchObject([{ move: 'park', why: 'approval', raises: { kind: 'approval' } }])
    world.set('a', { parked: undefined, woken: { agent: 1, by: 'approval' } })
    world.run()
    expect(world.starts).toEqual(['a', 'b'])
    expect(world.root.status).toBe('completed')
  })

  it('approval after: the result is approved, and the agent does not run again', () => {
    const world = new World({ agents: [agent('a', { approval: 'after' }), agent('b', { depends_on: ['a'] })] }).run()
    expect(world.starts).toEqual(['a'])
    world.set('a', { parked: undefined, woken: { agent: 1, by: 'approval' } })
    world.run()
    expect(world.starts).toEqual(['a', 'b'])
    expect(world.statuses()).toEqual({ a: 'completed', b: 'completed' })
  })

  it('a question: it is told the answer', () => {
    const world = new World({ agents: [agent('a')] })
    world.turn()
    world.set('a', { asked: 7 })
    world.run()
    expect(world.row('a')).toMatchObject({ status: 'resumable', parked: { why: 'question', need: 7 } })
    world.set('a', { asked: undefined, parked: undefined, woken: { agent: 1, by: 'question', text: 'blue' } })
    world.run()
    expect(world.acts.filter(({ act }) => act === 'launch').at(-1)).toMatchObject({
      woken: { by: 'question', text: 'blue' },
    })
    expect(world.statuses()).toEqual({ a: 'completed' })
  })

  it.each([
    ['it ends its turn', ok()],
    ['it fails', fails()],
  ])('a question that is answered before %s: it goes on with the answer', (_, first) => {
    const world = new World({ agents: [agent('a')] }, (_, attempt) => (attempt === 1 ? first : ok()))
    world.turn()
    world.set('a', { woken: { agent: 1, by: 'question', text: 'blue' } })
    world.run()
    const launched = world.acts.filter(({ act }) => act === 'launch')
    expect(launched).toHaveLength(2)
    expect(launched.at(-1)).toMatchObject({ woken: { text: 'blue' } })
    expect(world.statuses()).toEqual({ a: 'completed' })
  })

  it('a blocker: woken when it is resolved', () => {
    const world = new World({ agents: [agent('a')] }, (_, attempt) => (attempt === 1 ? fails() : ok()))
    world.turn()
    world.set('a', { blockers: [3] })
    world.run()
    expect(world.row('a')).toMatchObject({ status: 'resumable', failures: 0, parked: { why: 'blocker', blocker: 3 } })
    world.set('a', { blockers: [] })
    expect(world.run().statuses()).toEqual({ a: 'completed' })
  })

  it('a rate limit: until the provider takes requests again, and it is no failure', () => {
    const world = new World({ agents: [agent('a', { retries: 0 })] }, (_, attempt) =>
      attempt === 1 ? { ms: 5, exit: { cause: 'rate_limit', retry_at: 1_600_000 } } : ok(5),
    ).run()
    expect(world.now).toBe(1_600_005)
    expect(world.row('a')).toMatchObject({ status: 'completed', failures: 0 })
  })

  it('children: a parent that ended its turn is woken once, with their results', () => {
    const world = new World({ agents: [agent('parent')], max_parallel: 1 })
    world.turn()
    for (const id of ['x', 'y']) {
      const row = world.add(id, {
        spec: settledAgent({ id, role: 'worker', task: '', run: ['x'] }, world.root.workflow),
        parent: 1,
      })
      world.planner.see({ ...row })
    }
    world.run()
    expect(world.log).toEqual([
      'parent start', 'launch parent', 'parent park children',
      'x start', 'launch x', 'x complete', 'y start', 'launch y', 'y complete',
      'parent wake', 'parent start', 'launch parent', 'parent complete', 'root completed',
    ]) // biome-ignore format: one line for each that runs
    expect(world.acts.filter(({ act }) => act === 'launch').at(-1)).toMatchObject({
      woken: { by: 'children' },
      children: [2, 3],
    })
  })

  it('no child outlives a parent that was cancelled', () => {
    const world = new World({ agents: [agent('parent')] }, () => ok(1000))
    world.turn()
    const spec = settledAgent({ id: 'x', role: 'worker', task: '', run: ['x'] }, world.root.workflow)
    world.planner.see({ ...world.add('x', { spec, parent: 1 }) })
    world.turn()
    world.set('parent', { status: 'cancelled' })
    // As the log does.
    world.set('x', { status: 'cancelled' })
    world.run()
    expect(world.row('x')).toMatchObject({
      status: 'cancelled',
      run: undefined,
    })
    expect(world.processes.size).toBe(0)
  })

  it('no child outlives a parent that failed', () => {
    const world = new World({ agents: [agent('parent', { retries: 0 })] }, (id) =>
      id === 'parent' ? fails(10) : ok(1000),
    )
    world.turn()
    const spec = settledAgent({ id: 'x', role: 'worker', task: '', run: ['x'] }, world.root.workflow)
    world.planner.see({ ...world.add('x', { spec, parent: 1 }) })
    world.run()
    expect(world.statuses()).toEqual({ parent: 'failed', x: 'cancelled' })
    expect(world.processes.size).toBe(0)
  })

  it.each<[string, object, boolean]>([
    ['free, and it costs nothing', {}, false],
    ['free, and it may cost money', { run: undefined, use: 'claude', task: 'x' }, true],
    ['always', { run: undefined, use: 'claude', task: 'x', auto_resume: 'always' }, false],
    ['never', { auto_resume: 'never' }, true],
  ])('after a crash a person is asked: %s', (_, more, asks) => {
    const world = new World({ agents: [agent('a', more)] }, (_, attempt) => (attempt === 1 ? crashes() : ok())).run()
    if (asks) {
      expect(world.row('a')).toMatchObject({ status: 'resumable', parked: { why: 'consent' } })
      expect(world.moves.at(-1)).toMatchObject({ raises: { kind: 'approval', actions: ['resume', 'cancel'] } })
      world.set('a', { parked: undefined, woken: { agent: 1, by: 'consent' } })
      world.run()
    }
    expect(world.row('a')).toMatchObject({ status: 'completed', failures: 1 })
  })
})

describe('S1-12 S1-40 S1-41 U27 pause and resume', () => {
  it('freeze stops processes in place; all go on where they were', () => {
    const world = new World({ agents: [agent('a'), agent('b', { depends_on: ['a'] })] }, () => ok(1000))
    world.turn()
    world.setRoot({ status: 'paused' })
    world.run()
    expect(world.row('a').status).toBe('paused')
    world.setRoot({ status: 'running' })
    world.run()
    expect(world.starts).toEqual(['a', 'b'])
    expect(world.root.status).toBe('completed')
  })

  it('interrupt ends the turn; the agent is resumable, and started again when it may', () => {
    const world = new World({ agents: [agent('a', { pause: 'interrupt' }), agent('b')] }, () => ok(1000))
    world.turn()
    world.set('a', { held: true })
    world.run()
    expect(world.row('a')).toMatchObject({ status: 'resumable', parked: { why: 'pause' } })
    expect(world.row('b').status).toBe('completed')
    world.set('a', { held: false })
    world.run()
    expect(world.starts).toEqual(['a', 'b', 'a'])
    expect(world.row('a')).toMatchObject({ status: 'completed', failures: 0 })
  })

  it('when a person leaves, all are interrupted, those that stand still too', () => {
    const world = new World({ agents: [agent('a'), agent('b')] }, () => ok(1000))
    world.turn()
    world.set('a', { held: true })
    world.turn()
    world.setRoot({ status: 'paused', interrupts: true })
    world.run()
    expect(world.statuses()).toEqual({ a: 'resumable', b: 'resumable' })
    world.set('a', { held: false })
    world.setRoot({ status: 'running', interrupts: false })
    expect(world.run().root.status).toBe('completed')
  })

  it('what is held does not start', () => {
    const world = new World({ agents: [agent('a')] })
    world.set('a', { held: true })
    expect(world.run().starts).toEqual([])
    world.set('a', { held: false })
    expect(world.run().starts).toEqual(['a'])
  })

  it('what was not started waits', () => {
    const world = new World({ agents: [agent('a')] })
    world.setRoot({ status: 'created' })
    expect(world.turn()).toEqual({ moves: [], acts: [] })
    world.setRoot({ status: 'running' })
    expect(world.run().root.status).toBe('completed')
  })

  it('S1-18 when the root has ended, so does everything below it', () => {
    const world = new World({ agents: [agent('a'), agent('b', { depends_on: ['a'] })] }, () => ok(1000))
    world.turn()
    world.setRoot({ status: 'cancelled' })
    world.run()
    expect(world.statuses()).toEqual({ a: 'cancelled', b: 'skipped' })
    expect(world.processes.size).toBe(0)
  })
})

describe('C22 how an agent goes on', () => {
  const rungs = (world: World) => world.moves.flatMap((move) => (move.move === 'start' ? [move.rung] : []))
  const paying = { run: undefined, task: 'x', auto_resume: 'always', retries: 5 }

  it.each<[string, { use?: string; canResume?: boolean; canReplay?: boolean }, string]>([
    ['the provider resumes its session', { use: 'claude', canResume: true, canReplay: true }, 'resume'],
    ['the conversation is replayed', { use: 'claude', canReplay: true }, 'replay'],
    ['it has no session of its own', { use: 'model', canResume: true, canReplay: true }, 'replay'],
    ['a fresh one gets a brief', { use: 'claude' }, 'fresh'],
    ['a program begins anew', { canResume: true, canReplay: true }, 'fresh'],
  ])('%s', (_, { canResume = false, canReplay = false, ...more }, rung) => {
    const world = new World(
      { agents: [agent('a', more.use === undefined ? {} : { ...paying, ...more })] },
      (_, attempt) => (attempt === 1 ? crashes() : ok()),
    )
    world.turn()
    world.set('a', { canResume, canReplay })
    world.run()
    expect(rungs(world)).toEqual(['fresh', rung])
  })

  it('S1-89 what failed after a rung is tried from the rung below', () => {
    const world = new World({ agents: [agent('a', { ...paying, use: 'claude' })] }, (_, attempt) =>
      attempt < 4 ? fails() : ok(),
    )
    world.turn()
    world.set('a', { canResume: true, canReplay: true })
    world.run()
    expect(rungs(world)).toEqual(['fresh', 'resume', 'replay', 'fresh'])
  })

  it('a retry by a person begins anew', () => {
    const world = new World({ agents: [agent('a', { ...paying, use: 'claude', retries: 0 })] }, (_, attempt) =>
      attempt === 0 ? ok() : fails(),
    )
    world.run()
    world.setRoot({ status: 'running' })
    world.set('a', { status: 'created', attempts: 0, failures: 0, exited: undefined, canResume: true, canReplay: true })
    world.run()
    expect(rungs(world)).toEqual(['fresh', 'fresh'])
  })
})
