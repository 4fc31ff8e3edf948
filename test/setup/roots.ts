// What most tests begin with: a root of their own, and refusals they can look at.
import { expect } from 'vitest'
import { CairnRefusal } from '../../src/domain/log/refusal.ts'
import type { Cairn, OpenOptions } from '../../src/open.ts'
import type { TestStore } from './stores.ts'

/** A new root and a library that means it when a call names no session. */
export async function newRoot(store: TestStore, options: OpenOptions = {}): Promise<{ cairn: Cairn; session: string }> {
  const session = await store.createRoot()
  return { cairn: await store.open({ ...options, session }), session }
}

/** A session below another one. */
export async function newChild(cairn: Cairn, parent: string, name?: string): Promise<string> {
  const made = await cairn.session.create({ topic: 'a child', parent, ...(name === undefined ? {} : { name }) })
  return made.session_id
}

/** The refusal that was thrown; anything else, an answer too, fails the test. Every refusal says why and what to do. */
export async function refused(answering: Promise<unknown>): Promise<CairnRefusal> {
  const thrown = await answering.then(
    (answer) => expect.fail(`was not refused but answered ${JSON.stringify(answer)}`),
    (error: unknown) => error,
  )
  if (!(thrown instanceof CairnRefusal)) throw thrown
  expect(thrown.message).toMatch(/\S.*[.)]$/s)
  expect(thrown.hint).toMatch(/\S/)
  return thrown
}

/** The last sequence number of the log: unchanged means that nothing happened. */
export async function lastSeq(cairn: Pick<Cairn, 'log'>): Promise<number> {
  return (await cairn.log.list({ limit: 1 })).last_seq
}

/** The number that the rows of a root have; it is still known when the root is gone. */
export async function rootNumber(store: TestStore, id: string): Promise<number> {
  const [found] = await store.sql('SELECT root FROM roots WHERE id = $1', id)
  if (found === undefined) throw new Error(`there is no root ${id}`)
  return Number(found.root)
}
