// Processes that die while they copy a store, and others that hold it or die while they do.

import { copyFileSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { type Asking, ask } from '../../src/domain/log/questions.ts'
import { Refusal } from '../../src/domain/log/refusal.ts'
import { aboutLog } from '../../src/domain/log/sql/about-log.ts'
import { aboutSessions } from '../../src/domain/sessions/questions.ts'
import { openCairn } from '../../src/open.ts'
import { Answering } from '../../src/store/sqlite/answering.ts'
import { SqliteEngine } from '../../src/store/sqlite/engine.ts'
import { layout } from '../setup/layout.ts'
import { refused } from '../setup/roots.ts'
import { runChild, startChild } from './children.ts'
import { contents, expectSound, look, lookInto, newFolder } from './stores.ts'

async function filled(times: number) {
  const home = join(newFolder(), 'home')
  const said = await runChild({ home, do: 'write', times })
  return { home, said, session: said.root as string }
}

describe('a process that dies while it makes a backup', () => {
  it('U19 leaves a whole backup or none, and never one by halves under the right name', async () => {
    const { home, said } = await filled(40)
    for (const ms of [0, 2, 5, 10, 20]) {
      const folder = newFolder()
      const child = await startChild({ home, do: 'backup', to: join(folder, 'b'), times: 200 })
      await child.heard('ask 7.1')
      await new Promise((resolve) => setTimeout(resolve, ms))
      child.process.kill('SIGKILL')
      const { acked } = await child.ended
      const made = readdirSync(folder).filter((name) => /^b\.\d+$/.test(name))
      for (const id of acked.filter((id) => id.startsWith('7.'))) expect(made).toContain(`b.${id.slice(2)}`)
      const last = made.sort((a, b) => Number(a.slice(2)) - Number(b.slice(2))).at(-1) as string
      const { problems, checks, data } = await lookInto(join(folder, last))
      expect([problems, checks.filter(({ ok }) => !ok)]).toEqual([[], []])
      expect(data).toEqual(await contents(home))
      await expectSound(home, said, `killed after ${ms} ms`)
    }
  })

  it('U19 writes a backup beside what a killed one left, and refuses to restore from a part of one', async () => {
    const { home } = await filled(5)
    const folder = newFolder()
    const file = join(folder, 'b')
    copyFileSync(join(home, 'cairn.db'), `${file}.unfinished`)
    const cairn = await openCairn({ home })
    onTestFinished(() => cairn.close())
    await cairn.store.backup({ file })
    expect(readdirSync(folder).sort()).toEqual(['b', 'b.unfinished'])
    expect((await lookInto(file)).data).toEqual(await contents(home))
    copyFileSync(file, `${file}.half`)
    truncateSync(`${file}.half`, 40_960)
    const empty = await openCairn({ home: join(newFolder(), 'home') })
    onTestFinished(() => empty.close())
    expect(await refused(empty.store.restore({ file: `${file}.half` }))).toMatchObject({ code: 'storage_error' })
    expect((await empty.session.list({ all: true })).sessions).toEqual([])
  })
})

describe('a store that others hold', () => {
  it('is busy for a writer when another process does not let go, and goes on when it does', async () => {
    const { home, session } = await filled(1)
    const holder = await startChild({ home, do: 'hold' })
    await holder.heard('ack 0')
    for (const waits of ['blocking', 'yielding'] as const) {
      const path = join(home, 'cairn.db')
      const engine = await SqliteEngine.open({ path, clock: systemClock(), layout, waits, lockWaitMs: 50 })
      const write = engine.write([1], function* () {
        yield []
        return { changes: [], out: 'written' }
      })
      const refusal = await Promise.resolve(write).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(Refusal)
      expect(refusal).toMatchObject({ code: 'busy', message: expect.stringContaining('50 ms') })
      expect((await engine.read(ask(aboutLog.all_roots), true)).length).toBe(1)
      await engine.close()
    }
    const cairn = await openCairn({ home, session })
    const written = cairn.state.set({ key: 'after', value: 1 })
    holder.process.stdin.end()
    await holder.ended
    await written
    await cairn.close()
    expect((await look(home)).problems).toEqual([])
  })

  it('is waited for by a server whose timers and reads go on meanwhile', async () => {
    const { home } = await filled(1)
    const holder = await startChild({ home, do: 'hold' })
    await holder.heard('ack 0')
    const path = join(home, 'cairn.db')
    const engine = await SqliteEngine.open({
      path,
      clock: systemClock(),
      layout,
      waits: 'yielding',
      lockWaitMs: 20_000,
    })
    onTestFinished(() => engine.close())
    let isWritten = false
    const write = Promise.resolve(
      engine.write([1], function* () {
        yield []
        isWritten = true
        return { changes: [], out: 'written' }
      }),
    )
    // Whoever blocks does not come this far before it is refused.
    for (let tick = 0; tick < 20; tick++) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect((await engine.read(ask(aboutLog.all_roots), false)).length).toBe(1)
      expect(isWritten).toBe(false)
    }
    holder.process.stdin.end()
    expect(await write).toBe('written')
    await holder.ended
  })

  it('is opened and written by some while others are killed in the middle of a write', async () => {
    const { home, session, said } = await filled(2)
    for (let round = 0; round < 3; round++) {
      const victim = await startChild({ home, do: 'overwrite', session, key: `k${round}` })
      await victim.heard('ack 9.1')
      const others = Array.from({ length: 3 }, () => runChild({ home, do: 'write', times: 2 }))
      const dying = Array.from({ length: 2 }, (_, at) =>
        runChild({ home, do: 'write', times: 2 }, { env: { CAIRN_FAILPOINT: `commit:kill@${at + 2}` } }),
      )
      victim.process.kill('SIGKILL')
      for (const each of await Promise.all(others)) {
        expect([each.errors, each.refused, each.raw, each.code]).toEqual(['', [], [], 0])
        await expectSound(home, each, `round ${round}`)
      }
      for (const each of await Promise.all(dying)) await expectSound(home, each, `round ${round}, killed`)
      await victim.ended
    }
    await expectSound(home, said, 'what was there before')
  })

  it('answers a reader that met a recovery at any of its questions', () => {
    const busy = Object.assign(new Error('database is locked'), { errcode: 261 })
    let met = 0
    const rows = (text: string) => {
      met += 1
      if (met % 2 === 1) throw busy
      return [{ text }]
    }
    function* reading(): Asking<unknown[]> {
      return [yield* ask(aboutLog.all_roots), yield* ask(aboutSessions.session_by_id, 'x')]
    }
    const answering = new Answering(reading(), (load) => rows('ask' in load ? load.ask.name : load.toString()))
    expect(() => answering.goOn()).toThrow(busy)
    expect(() => answering.goOn()).toThrow(busy)
    expect(answering.goOn()).toEqual([[{ text: 'all_roots' }], [{ text: 'session_by_id' }]])
  })
})
