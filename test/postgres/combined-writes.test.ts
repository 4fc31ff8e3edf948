// Writes below many roots are sent together, a few statements at a time: whoever has to wait for that gets its turn.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { freshDatabase } from '../setup/postgres-server.ts'
import { startWire } from './proxy.ts'
import { openAt, problemsAt } from './trouble.ts'

const rootsInAll = 40

/** Roots that the library has written alone, so that its next writes need no lock and can be combined. */
async function behindSlowWire() {
  const { url, drop } = await freshDatabase(inject('postgres'))
  onTestFinished(drop)
  const wire = await startWire(url)
  const cairn = await openAt(wire.url)
  const made = await Promise.all(
    Array.from({ length: rootsInAll }, () => cairn.session.create({ topic: 'one of many' })),
  )
  const sessions = made.map(({ session_id }) => session_id)
  await Promise.all(sessions.map((session) => cairn.state.set({ session, key: 'n', value: 0 })))
  wire.delayMs = 20
  return { url, wire, cairn, sessions }
}

describe('writes to many roots', () => {
  it('that come one turn of the event loop after another are all answered', { timeout: 30_000 }, async () => {
    const { url, cairn, sessions } = await behindSlowWire()
    for (let round = 1; round <= 3; round++) {
      const answers: Promise<{ value: number }>[] = []
      for (const session of sessions) {
        answers.push(cairn.state.increment({ session, key: 'n' }))
        await nextTurn()
      }
      for (const { value } of await Promise.all(answers)) expect(value).toBe(round)
    }
    expect(await problemsAt(url)).toEqual([])
  })

  it('that come at once are all answered, and each root has its own', { timeout: 30_000 }, async () => {
    const { url, cairn, sessions } = await behindSlowWire()
    const answers = sessions.map((session, at) => cairn.state.set({ session, key: 'n', value: at }))
    expect((await Promise.all(answers)).map(({ value }) => value)).toEqual([...sessions.keys()])
    for (const [at, session] of sessions.entries()) {
      expect(await cairn.state.get({ session, key: 'n' })).toMatchObject({ value: at, version: 2 })
    }
    expect(await problemsAt(url)).toEqual([])
  })

  it('are answered also after statements that carried them were lost', { timeout: 30_000 }, async () => {
    const { url, wire, cairn, sessions } = await behindSlowWire()
    // More often than there are statements on their way at once.
    for (let round = 0; round < 6; round++) {
      // Who has lost a statement writes with a lock next, and then at once again.
      await Promise.all(sessions.map((session) => cairn.state.set({ session, key: 'n', value: 'before' })))
      const then = 'lost'
      wire.trap = { text: `lost ${round}`, then }
      const [lost, ...others] = sessions.map((session, at) =>
        cairn.state.set({ session, key: 'n', value: at === 0 ? `lost ${round}` : round }),
      )
      await expect(lost).rejects.toMatchObject({ code: 'outcome_unknown' })
      await Promise.allSettled(others)
    }
    const answers = sessions.map((session) => cairn.state.set({ session, key: 'n', value: 'found' }))
    for (const { value } of await Promise.all(answers)) expect(value).toBe('found')
    expect(await problemsAt(url)).toEqual([])
  })
})
