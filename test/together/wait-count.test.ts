// So many may wait for keys of a root at once: whoever has come to an end, whichever it was, is not counted any more.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { ownLog } from './own-log.ts'

const waits = 3

for (const kind of STORES) {
  describe(`the count of waits on ${kind.name}`, () => {
    const store = sharedStore(kind)

    /** One wait stays all the time, so that the root is never forgotten. */
    async function withOneWaiting() {
      const { cairn, session } = await ownLog(store(), { waits })
      const standing = cairn.state.wait({ key: 'standing', timeout: '1h' })
      const full = async () => {
        // Which of those that ask at once is one too many is not said: it is the only one that is answered before there is a value.
        const asked = Array.from({ length: waits }, () => cairn.state.wait({ key: 'last' }).catch((error) => error))
        const refusal = { code: 'rate_limited', details: { limit: 'waits', limit_value: waits } }
        expect(await Promise.race(asked)).toMatchObject(refusal)
        await cairn.state.set({ key: 'last', value: 1 })
        const answers = await Promise.all(asked)
        expect(answers.filter((answer) => answer.value === 1)).toHaveLength(waits - 1)
        await cairn.state.delete({ key: 'last' })
      }
      const end = async () => {
        await cairn.state.set({ key: 'standing', value: 1 })
        await standing
      }
      return { cairn, session, full, end }
    }

    it('is lower again after waits that were answered', async () => {
      const { cairn, full, end } = await withOneWaiting()
      for (let round = 0; round < 3 * waits; round++) {
        const coming = cairn.state.wait({ key: 'n', equals: round })
        await cairn.state.set({ key: 'n', value: round })
        expect(await coming).toMatchObject({ value: round })
        expect(await cairn.state.wait({ key: 'n' })).toMatchObject({ value: round })
      }
      await full()
      await full()
      await end()
    })

    it('is lower again after waits that were in vain', async () => {
      const { cairn, full, end } = await withOneWaiting()
      for (let round = 0; round < 3 * waits; round++) {
        expect(await refused(cairn.state.wait({ key: 'never', timeout: '0' }))).toMatchObject({ code: 'timeout' })
      }
      await full()
      await end()
    })

    it('is lower again after waits that were given up, and by no more than those', async () => {
      const { cairn, full, end } = await withOneWaiting()
      for (let round = 0; round < 3 * waits; round++) {
        const leaving = new AbortController()
        const waiting = cairn.state.wait({ key: 'never', timeout: '1h' }, leaving.signal)
        await nextTurn()
        leaving.abort(new Error('not wanted any more'))
        await expect(waiting).rejects.toThrow('not wanted any more')
      }
      // An end that comes when the wait is over already is none.
      const late = new AbortController()
      const answered = cairn.state.wait({ key: 'n' }, late.signal)
      await cairn.state.set({ key: 'n', value: 1 })
      await answered
      late.abort()
      await full()
      await end()
    })
  })
}
