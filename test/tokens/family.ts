// A small tree with an agent in the middle, and another root.
import type { Caller, Scope } from '../../src/journal/caller.ts'
import type { Journaled } from '../../src/open.ts'
import { methodsOf } from '../../src/open.ts'

export const relatives = ['other', 'parent', 'sibling', 'child', 'self'] as const
export type Relative = (typeof relatives)[number]

export interface Family extends Readonly<Record<Relative, string>> {
  readonly agent: Caller
}

/** The agent of a family is its `self`; every root has the same state. */
export async function newFamily(journaled: Journaled): Promise<Family> {
  const owner = methodsOf(journaled)
  const make = async (members: object) => (await owner.session.create({ topic: 'a test', ...members })).session_id
  const [parent, other] = [await make({}), await make({})]
  for (const session of [parent, other]) {
    await owner.state.init({ session, initial_state: { n: 1, list: [], object: {}, typed: 'a' } })
    await owner.state.setAdd({ session, key: 'set', items: ['a', 'b'] })
    await owner.state.claim({ session, key: 'held', ttl: '1h' })
    await owner.lease.claim({ session, name: 'held', ttl: '1h' })
    await owner.schema.set({ session, target: 'typed', schema: { type: 'string' } })
  }
  const [self, sibling] = [await make({ parent, name: 'self' }), await make({ parent, name: 'sibling' })]
  const child = await make({ parent: self, name: 'child' })
  await make({ parent: other, name: 'stranger' })
  const agent = callerOf({ root: parent, no: 1 }, self)
  return { self, child, sibling, parent, other, agent }
}

export function callerOf(scope: Scope, session?: string): Caller {
  return { principal: session ?? 'somebody', actor: 'test', scope, session }
}
