// Whoever follows or waits hears of what is written while it reads: it does not go to sleep over it.
import { describe, expect, it } from 'vitest'
import { STORES, sharedStore } from '../setup/stores.ts'
import { heldLog } from './held-reads.ts'

/** A lost event is one that never comes. */
const timeout = 15_000

for (const kind of STORES) {
  describe(`what is written while somebody reads, on ${kind.name}`, () => {
    const store = sharedStore(kind)

    // A reader at the end asks for more events, then whether the log is still as long as it was.
    it.each(['events_since', 'roots'] as const)(
      'comes to a reader of a root that asks %s',
      { timeout },
      async (asked) => {
        const { log, caller, session, held, cairn } = await heldLog(store())
        await cairn.state.set({ key: 'k', value: 0 })
        const events = log.follow(session, { since: 1 }, caller)
        for (let round = 1; round <= 5; round++) {
          expect((await events.next()).value).toMatchObject({ key: 'k', data: { value: round - 1 } })
          held.next = { asked, happens: () => cairn.state.set({ key: 'k', value: round }) }
        }
        await events.return()
      },
    )

    it('comes to a reader of all roots that reads what came before it', { timeout }, async () => {
      const { log, caller, session, held, cairn } = await heldLog(store())
      const events = log.followAll({ since: await log.heads(caller) }, caller)
      for (let round = 1; round <= 5; round++) {
        held.next = { asked: 'events_since', happens: () => cairn.state.set({ key: 'k', value: round }) }
        const next = events.next()
        await cairn.state.set({ key: 'before', value: round })
        expect((await next).value).toMatchObject({ root_session_id: session, key: 'before', data: { value: round } })
        expect((await events.next()).value).toMatchObject({
          root_session_id: session,
          key: 'k',
          data: { value: round },
        })
      }
      await events.return()
    })

    it('comes to a reader of all roots that has just begun', { timeout }, async () => {
      const { log, caller, held, cairn } = await heldLog(store())
      for (let round = 1; round <= 5; round++) {
        const events = log.followAll({ since: await log.heads(caller) }, caller)
        held.next = { asked: 'all_roots', happens: () => cairn.state.set({ key: 'k', value: round }) }
        expect((await events.next()).value).toMatchObject({ key: 'k', data: { value: round } })
        await events.return()
      }
    })

    it.each(['moves_since', 'key_now'] as const)(
      'comes to one who waits for a key, while it asks %s',
      { timeout },
      async (asked) => {
        const { held, cairn } = await heldLog(store())
        const standing = cairn.state.wait({ key: 'standing', timeout: '1h' })
        await cairn.state.set({ key: 'other', value: 1 })
        for (let round = 1; round <= 5; round++) {
          held.next = { asked, happens: () => cairn.state.set({ key: 'k', value: round }) }
          const waiting = cairn.state.wait({ key: 'k', equals: round, timeout: '1h' })
          expect(await waiting).toMatchObject({ value: round })
        }
        await cairn.state.set({ key: 'standing', value: 1 })
        await standing
      },
    )
  })
}
