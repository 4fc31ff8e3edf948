// Those who are told of commits: afterwards, in order, and without being able to hurt a write.
import { describe, expect, it } from 'vitest'
import type { Committed } from '../../src/log/write/commits.ts'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from '../together/own-log.ts'

const unexpected = (error: unknown) => {
  throw error
}

/** What was told so far, and a way to wait for more of it. */
function listener() {
  const told: Committed[] = []
  let heard = () => {}
  const tell = (moved: readonly Committed[]) => {
    told.push(...moved)
    heard()
  }
  const until = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      await new Promise<void>((resolve) => {
        heard = resolve
      })
    }
  }
  return { told, tell, until }
}

for (const kind of STORES) {
  describe(`after a commit on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('others are told which logs moved and to where, once it is on disk, and not of what was refused', async () => {
      const { cairn, session, open } = await ownLog(store())
      const other = await open()
      const { told, tell, until } = listener()
      const seen: number[] = []
      const stop = cairn.theLog.afterCommit(async (moved) => {
        // Whoever is told finds it in the store, also through another connection.
        const { last_seq } = await other.log.list({})
        seen.push(Number(last_seq) - (moved[0]?.seq ?? 0))
        tell(moved)
      }, unexpected)
      await cairn.state.set({ key: 'k', value: 1 })
      await until(() => told.length === 1)
      expect(told).toEqual([{ root: expect.any(Number), rootId: session, seq: 2 }])
      expect(await refused(cairn.state.set({ key: 'k', value: 2, version: 7 }))).toMatchObject({
        code: 'version_conflict',
      })
      const { token } = await cairn.lease.claim({ name: 'l', ttl: '1h' })
      await cairn.lease.heartbeat({ name: 'l', token })
      await cairn.state.set({ key: 'k', value: 3 })
      await until(() => told.at(-1)?.seq === 4)
      // Those that came soon after one another may be told together: then it is the last of them.
      expect([
        [2, 3, 4],
        [2, 4],
      ]).toContainEqual(told.map(({ seq }) => seq))
      expect(seen.every((ahead) => ahead >= 0)).toBe(true)
      stop()
      await cairn.state.set({ key: 'k', value: 4 })
      await cairn.theLog.close()
      expect(told.at(-1)?.seq).toBe(4)
    })

    it('a fork is told too, and a repeated request is not', async () => {
      const { cairn } = await ownLog(store())
      const { told, tell, until } = listener()
      cairn.theLog.afterCommit(tell, unexpected)
      const fork = await cairn.session.fork({ request_id: `fork of ${kind.name}` })
      await until(() => told.length === 1)
      expect(told).toMatchObject([{ rootId: fork.session_id, seq: 1 }])
      await cairn.session.fork({ request_id: `fork of ${kind.name}` })
      await cairn.state.set({ key: 'k', value: 1 })
      await until(() => told.length === 2)
      expect(told[1]).toMatchObject({ seq: 2 })
    })

    it('what goes wrong there is reported, and what is slow there holds up no write', async () => {
      const { cairn } = await ownLog(store())
      const errors: unknown[] = []
      const report = (error: unknown) => {
        errors.push(error)
        throw new Error('and the report fails as well')
      }
      cairn.theLog.afterCommit(() => {
        throw new Error('at once')
      }, report)
      cairn.theLog.afterCommit(async () => {
        throw new Error('later')
      }, report)
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const told: number[] = []
      const begun = new Promise<void>((resolve) => {
        cairn.theLog.afterCommit(async (moved) => {
          told.push(...moved.map(({ seq }) => seq))
          resolve()
          await held
        }, unexpected)
      })
      await cairn.state.increment({ key: 'n' })
      await begun
      // It has not come back from the first, and all these are answered.
      for (let at = 0; at < 20; at++) await cairn.state.increment({ key: 'n' })
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 21 })
      expect(told).toEqual([2])
      release()
      await cairn.theLog.close()
      expect(told).toEqual([2, 22])
      expect(new Set(errors.map((error) => (error as Error).message))).toEqual(new Set(['at once', 'later']))
    })
  })
}
