// A small tree with an agent in the middle, and another root.
import type { Caller, Scope } from '../../src/log/access/caller.ts'
import type { OpenedLog } from '../../src/open.ts'
import { methodsOf } from '../../src/open.ts'

export const relatives = ['other', 'parent', 'sibling', 'child', 'self'] as const
export type Relative = (typeof relatives)[number]

export interface Family extends Readonly<Record<Relative, string>> {
  readonly agent: Caller
}

/** The agent of a family is its `self`; every root has the same state. */
export async function newFamily(opened: OpenedLog): Promise<Family> {
  const owner = methodsOf(opened)
  const make = async (members: object) => (await owner.session.create({ topic: 'a test', ...members })).session_id
  const makeRoot = async () => {
    const session = await make({ initial_state: { n: 1, list: [], object: {}, typed: 'a' } })
    await Promise.all([
      owner.state.setAdd({ session, key: 'set', items: ['a', 'b'] }),
      owner.state.claim({ session, key: 'held', ttl: '1h' }),
      owner.lease.claim({ session, name: 'held', ttl: '1h' }),
      owner.task.add({ session, text: 'a task' }),
      owner.schema.set({ session, target: 'typed', schema: { type: 'string' } }),
    ])
    return session
  }
  const [parent, other] = await Promise.all([makeRoot(), makeRoot()])
  const self = await make({ parent, name: 'self' })
  const [child, sibling] = await Promise.all([
    make({ parent: self, name: 'child' }),
    make({ parent, name: 'sibling' }),
    make({ parent: other, name: 'stranger' }),
  ])
  const { root, rootId } = await opened.log.head(parent, opened.caller)
  const agent = callerOf({ root, rootId, no: 1 }, self)
  return { self, child, sibling, parent, other, agent }
}

export function callerOf(scope: Scope, session?: string): Caller {
  return { principal: session ?? 'somebody', actor: 'test', scope, session }
}
