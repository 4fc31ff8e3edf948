import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasEnded } from '../../src/domain/sessions/lifecycle.ts'
import { seedOf } from '../setup/seed.ts'
import { crashes, fails, ok, type Script, World } from './world.ts'

/** Random work: a graph without cycles, how agents behave, and how many may run at once. */
interface Work {
  readonly file: {
    strategy: string
    max_parallel?: number
    agents?: Described[]
    phases?: { name: string; when?: string; agents: Described[] }[]
  }
  readonly scripts: Readonly<Record<string, readonly Script[]>>
}

interface Described {
  readonly id: string
  readonly run: string[]
  readonly depends_on: string[]
  readonly retries: number
  readonly on_failure: 'skip' | 'continue' | 'fail'
  readonly backoff: { first: string; max: string }
}

const script = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 50 }).map((ms) => ok(ms)) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 50 }).map((ms) => fails(ms)) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 50 }).map((ms) => crashes(ms)) },
)

const policies = { skip: 8, continue: 2, fail: 0 }

function work({ fatal }: { fatal: boolean }): fc.Arbitrary<Work> {
  const policy = fc.oneof(
    { weight: policies.skip, arbitrary: fc.constant('skip' as const) },
    { weight: policies.continue, arbitrary: fc.constant('continue' as const) },
    { weight: fatal ? 1 : 0, arbitrary: fc.constant('fail' as const) },
  )
  const agent = fc.record({
    before: fc.array(fc.nat(1000), { maxLength: 3 }),
    retries: fc.nat(2),
    policy,
    scripts: fc.array(script, { minLength: 1, maxLength: 3 }),
    phase: fc.nat(2),
  })
  const described = fc.record({
    strategy: fc.constantFrom('parallel', 'sequential', 'adaptive', 'pipeline'),
    most: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    hasPhases: fc.boolean(),
    conditions: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    agents: fc.array(agent, { minLength: 1, maxLength: 14 }),
  })
  return described.map(({ strategy, most, hasPhases, conditions, agents }) => {
    const sorted = hasPhases ? [...agents].sort((a, b) => a.phase - b.phase) : agents
    const list = sorted.map(({ before, retries, policy }, at) => ({
      id: `n${at}`,
      run: ['x'],
      depends_on: at === 0 ? [] : [...new Set(before.map((each) => `n${each % at}`))],
      retries,
      on_failure: policy,
      backoff: { first: '20ms', max: '100ms' },
    }))
    const scripts = Object.fromEntries(sorted.map(({ scripts }, at) => [`n${at}`, scripts]))
    const common = { strategy, ...(most !== undefined && { max_parallel: most }) }
    if (!hasPhases) return { file: { ...common, agents: list }, scripts }
    const phases = [0, 1, 2].map((phase) => ({
      name: `p${phase}`,
      ...(phase > 0 && { when: conditions[phase] ? 'state.go' : 'state.stop' }),
      agents: list.filter((_, at) => sorted[at]?.phase === phase),
    }))
    return { file: { ...common, phases }, scripts }
  })
}

function worldOf({ file, scripts }: Work): World {
  const world = new World(file, (id, attempt) => {
    const list = scripts[id] as Script[]
    return list[Math.min(attempt, list.length) - 1] as Script
  })
  world.state = { go: true }
  return world
}

/** What becomes of each agent, whenever it runs: worked out from the descriptions alone. */
function expected({ file, scripts }: Work): Record<string, string> {
  const phases =
    file.phases ??
    (file.strategy === 'pipeline'
      ? (file.agents ?? []).map((agent) => ({ name: agent.id, agents: [agent] }))
      : [{ name: '', agents: file.agents ?? [] }])
  const found: Record<string, string> = {}
  const policy: Record<string, string> = {}
  let isBroken = false
  let previous: string | undefined
  for (const phase of phases) {
    const runs = !isBroken && (!('when' in phase) || phase.when === undefined || phase.when === 'state.go')
    for (const { id, depends_on, retries, on_failure } of phase.agents) {
      const before = [...depends_on, ...(file.strategy === 'sequential' && previous !== undefined ? [previous] : [])]
      previous = id
      policy[id] = on_failure
      const isHindered = before.some((each) => found[each] !== 'completed' && policy[each] !== 'continue')
      const attempts = Array.from({ length: retries + 1 }, (_, at) => {
        const list = scripts[id] as Script[]
        return list[Math.min(at, list.length - 1)] as Script
      })
      const works = attempts.some(({ exit }) => exit.cause === 'exit' && exit.exit_code === 0)
      found[id] = !runs || isHindered ? 'skipped' : works ? 'completed' : 'failed'
    }
    if (phase.agents.some(({ id, on_failure }) => found[id] === 'failed' && on_failure !== 'continue')) isBroken = true
  }
  return found
}

/** Nothing is started that may not be, now that these are the rows. */
function checkStarts(world: World, { file }: Work): void {
  const isSettled = (id: string) => {
    const { status, spec } = world.row(id)
    return status === 'completed' || (spec.on_failure === 'continue' && hasEnded(status))
  }
  for (const row of world.rows.values()) {
    if (row.run === undefined) continue
    for (const id of row.spec.depends_on) expect(isSettled(id), `${row.spec.id} before ${id}`).toBe(true)
    const earlier = [...world.rows.values()].filter(({ spec }) => (spec.phase ?? 0) < (row.spec.phase ?? 0))
    for (const other of earlier) expect(hasEnded(other.status), `${row.spec.id} before its phase`).toBe(true)
    if (file.strategy !== 'sequential') continue
    const previous = world.rows.get(row.no - 1)
    if (previous !== undefined) expect(isSettled(previous.spec.id)).toBe(true)
  }
}

describe('S1-38 S1-42 S1-46 random workflows', () => {
  it('start nothing before its time, do all that can be done, and end as the descriptions say', () => {
    fc.assert(
      fc.property(work({ fatal: false }), (described) => {
        const world = worldOf(described)
        for (let turn = 0; turn < 1000 && !hasEnded(world.root.status); turn++) {
          world.turn()
          checkStarts(world, described)
          if (!world.advance()) world.turn()
        }
        expect(world.statuses()).toEqual(expected(described))
        expect(world.mostAtOnce).toBeLessThanOrEqual(described.file.max_parallel ?? Number.POSITIVE_INFINITY)
        const hasFailed = Object.values(world.statuses()).includes('failed')
        expect(world.root.status).toBe(hasFailed ? 'failed' : 'completed')
        for (const { state } of world.root.phases) expect(['completed', 'failed', 'skipped']).toContain(state)
        for (const times of world.completions.values()) expect(times).toBe(1)
      }),
      { seed: seedOf(171), numRuns: 400 },
    )
  })

  it('are planned the same by a planner that was built from the rows at any moment, whatever people do meanwhile', () => {
    const deeds = fc.array(fc.record({ at: fc.nat(60), agent: fc.nat(20), deed: fc.nat(7) }), { maxLength: 8 })
    fc.assert(
      fc.property(work({ fatal: true }), deeds, (described, done) => {
        const world = worldOf(described)
        for (let turn = 0; turn < 400; turn++) {
          for (const { agent, deed } of done.filter(({ at }) => at === turn)) person(world, agent, deed)
          const anew = world.planAnew()
          const { moves, acts } = world.turn()
          expect(moves).toEqual(anew.moves)
          // It does not know what was asked for already, and asks again.
          expect(anew.acts).toEqual(expect.arrayContaining([...acts]))
          if (hasEnded(world.root.status) && world.processes.size === 0) break
          if (!acts.some(({ act }) => act !== 'launch') && !world.advance()) {
            if (turn > 60) letGo(world)
          }
        }
        expect(hasEnded(world.root.status), world.log.slice(-20).join('\n')).toBe(true)
        for (const { status, run } of world.rows.values()) {
          expect(hasEnded(status)).toBe(true)
          expect(run).toBeUndefined()
        }
        expect(world.processes.size).toBe(0)
        for (const times of world.completions.values()) expect(times).toBe(1)
      }),
      { seed: seedOf(172), numRuns: 300 },
    )
  })

  it('are planned the same twice', () => {
    fc.assert(
      fc.property(work({ fatal: true }), (described) => {
        expect(worldOf(described).run().log).toEqual(worldOf(described).run().log)
      }),
      { seed: seedOf(173), numRuns: 100 },
    )
  })
})

/** What a person does to an agent, or to all. */
function person(world: World, agent: number, deed: number): void {
  const row = world.rows.get(1 + (agent % world.rows.size))
  if (row === undefined || hasEnded(world.root.status)) return
  const { id } = row.spec
  if (deed === 0) world.setRoot({ status: 'paused' })
  else if (deed === 1) world.setRoot({ status: 'running' })
  else if (deed === 2 && !hasEnded(row.status)) world.set(id, { held: true })
  else if (deed === 3) world.set(id, { held: false })
  else if (deed === 4 && !hasEnded(row.status)) world.set(id, { status: 'cancelled', reason: 'by a person' })
  else if (deed === 5 && row.run !== undefined) world.set(id, { spec: { ...row.spec, pause: 'interrupt' }, held: true })
  else if (deed === 6 && row.status === 'failed') {
    world.set(id, { status: 'created', attempts: 0, failures: 0, exited: undefined, parked: undefined, reason: null })
  } else if (deed === 7 && row.run !== undefined) {
    const process = world.processes.get(row.run.id)
    if (process !== undefined && process.frozenAt === undefined)
      world.end(process, { cause: 'crash', signal: 'SIGKILL' })
  }
}

/** In the end everything that was paused goes on. */
function letGo(world: World): void {
  if (world.root.status === 'paused') world.setRoot({ status: 'running' })
  for (const { held, spec } of world.rows.values()) if (held) world.set(spec.id, { held: false })
}
