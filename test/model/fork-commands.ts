// Commands about forks: to make one, and to do to one of a family what must not be seen in the others.
import fc from 'fast-check'
import { canonical } from '../../src/json/value.ts'
import type { Run, Step } from './commands.ts'
import type { Obj, Root } from './model.ts'
import type { Real } from './real.ts'
import { documentOf, isRefused, stateNow } from './root.ts'

/** Every root of a run is verified and compared at its end. */
const rootsMax = 6

/** The last event in one of three cases, else any, and now and then one that is not there. */
function placeIn({ log }: Root, other: number): Obj {
  if (other % 3 === 0) return {}
  if (other % 19 === 0) return { at: other % 2 === 0 ? 0 : log.length + 1 + (other % 7) }
  return { at: 1 + (other % log.length) }
}

async function makeFork({ model }: Run, real: Real, root: Root, other: number): Promise<void> {
  const input = placeIn(root, other)
  const answer = await real.ask({ op: 'session.fork', input: { session: root.id, ...input } })
  const fork = String(answer.session_id)
  const tree = isRefused(answer) ? {} : await real.ask({ op: 'session.tree', input: { session: fork } })
  const problem = model.fork(root, input, answer, tree)
  if (problem) throw new Error(problem)
}

/** Of any root, a fork as likely as another. */
export const forking: fc.Arbitrary<Step> = fc.tuple(fc.nat(1000), fc.nat(1_000_000)).map(([which, other]) => ({
  name: 'fork',
  shown: `fork(${which}, ${other})`,
  plan: () => undefined,
  async act(run, real) {
    const { roots } = run.model
    if (roots.length >= rootsMax) return false
    await makeFork(run, real, roots[which % roots.length] as Root, other)
    return true
  },
}))

type Kind = 'remove' | 'compact' | 'erase'

async function perform(real: Real, root: Root, kind: Kind, key: string): Promise<Obj> {
  const [session, confirm] = [root.id, root.sessions[0]?.slug as string]
  const input = { remove: { confirm, force: true }, compact: { older_than: '0s' }, erase: { key, confirm } }[kind]
  return real.ask({ op: `store.${kind}`, input: { session, ...input } as Obj })
}

/** What is there after upkeep is what was there before, but for what was erased. */
async function stateLeft(real: Real, { id: session }: Root): Promise<Obj> {
  const answer = await real.ask({ op: 'state.all', input: { session } })
  return isRefused(answer) ? {} : (answer.state as Obj)
}

/** How a root with less of a past answers is shown elsewhere: here it is not asked any more, and all others are as they were. */
export const upkeep: fc.Arbitrary<Step> = fc
  .tuple(fc.nat(1000), fc.constantFrom<Kind>('remove', 'compact', 'erase'), fc.nat(1000))
  .map(([which, kind, other]) => ({
    name: 'upkeep',
    shown: `${kind}(${which}, ${other})`,
    plan: () => undefined,
    async act({ model }, real) {
      const root = model.roots[which % model.roots.length] as Root
      const hasRelatives = model.roots.some((each) => each.origin?.root === root) || root.origin !== undefined
      if (model.roots.length < 2 || !hasRelatives) return false
      const keys = [...root.keys.keys()]
      const key = keys[other % Math.max(1, keys.length)] ?? 'none'
      const done = await perform(real, root, kind, key)
      if (isRefused(done)) throw new Error(`${kind} was refused: ${canonical(done)}`)
      const there = [...stateNow(root)].filter(([each]) => kind !== 'erase' || each !== key)
      const expected = documentOf(new Map(there))
      const left = await stateLeft(real, root)
      if (kind !== 'remove' && canonical(left) !== canonical(expected))
        throw new Error(`after ${kind} there is ${canonical(left)}, expected ${canonical(expected)}`)
      model.retire(root, kind === 'remove')
      return true
    },
  }))
