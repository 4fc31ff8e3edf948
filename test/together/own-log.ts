// A log on a real store with a clock that can be put forward, and that tells what it has asked of the store.
import { onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/clock.ts'
import type { FollowOptions } from '../../src/domain/log/feed-filter.ts'
import { defaultLimits, type Limits } from '../../src/domain/log/limits.ts'
import type { Asking, Load, Question } from '../../src/domain/log/questions.ts'
import { parts } from '../../src/domain/parts.ts'
import { Log } from '../../src/log/log.ts'
import { methodsOf } from '../../src/open.ts'
import type { Engine } from '../../src/store/engine.ts'
import { engineOf } from '../setup/store-engine.ts'
import type { TestStore } from '../setup/stores.ts'

/** A new root in a log of our own. Its clock is the real one until time is made to pass. */
export async function ownLog(store: TestStore, limits: Partial<Limits> = {}) {
  const asked: Question['name'][] = []
  const did = { writes: 0, hints: 0 }
  let passed = 0
  const clock: Clock = { ...systemClock(), now: () => Date.now() + passed }
  const session = await store.createRoot()
  /** Another log knows nothing but what the store has. */
  const open = async () => {
    const log = new Log(noting(await engineOf(store), asked, did), clock, parts, { ...defaultLimits, ...limits })
    onTestFinished(() => log.close())
    const caller = { principal: 'owner', actor: 'test', scope: 'owner', session } as const
    const follow = (options: FollowOptions = {}) => log.follow(session, options, caller)
    return { ...methodsOf({ log, caller }), follow, theLog: log }
  }
  const pass = (ms: number) => {
    passed += ms
  }
  return { cairn: await open(), session, asked, did, pass, open, now: clock.now }
}

export function askedOf(asked: readonly Question['name'][], name: Question['name']): number {
  return asked.filter((each) => each === name).length
}

/** How often it was written to, and how often it said that somebody else may have. */
interface Did {
  writes: number
  hints: number
}

function noting(engine: Engine, asked: Question['name'][], did: Did): Engine {
  const note = (load: Load) => {
    if ('ask' in load) asked.push(load.ask.name)
  }
  return engineWith(engine, {
    read: (reading, snapshot) => engine.read(noted(reading, note), snapshot),
    write(roots, work) {
      did.writes += 1
      return engine.write(roots, work)
    },
    watch: (moved) =>
      engine.watch((roots) => {
        did.hints += 1
        moved(roots)
      }),
  })
}

/** The same engine, some of which is done in another way. */
export function engineWith(engine: Engine, other: Partial<Engine>): Engine {
  return new Proxy(engine, {
    get(target, name) {
      if (name in other) return other[name as keyof Engine]
      const member = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** Tells what a reading asks. */
export function* noted<Out>(reading: Asking<Out>, note: (load: Load) => void): Asking<Out> {
  let step = reading.next()
  while (!step.done) {
    note(step.value)
    step = reading.next(yield step.value)
  }
  return step.value
}
