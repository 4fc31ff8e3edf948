// Processes that die in the middle of upkeep, at any of its places or system calls: the store is whole, and doing it again
// does the rest.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { STORES, type StoreKind, sharedStore, type TestStore } from '../setup/stores.ts'
import { type Circumstances, lacking, runChild } from './children.ts'
import { eachDeath } from './deaths.ts'
import { newFolder } from './stores.ts'
import { doAgain, UPKEEPS, type Upkeep } from './upkeeps.ts'

const why = lacking('strace', '-f', '-qq', '-e', 'inject=fsync:signal=KILL:when=9', '-o', '/dev/null', 'true')

/** Whether it died there. */
async function dieAndDoAgain(upkeep: Upkeep, store: TestStore, how: Circumstances, what: string): Promise<boolean> {
  const session = await store.createRoot()
  const cairn = await store.open()
  const begun = await upkeep.begin(store, cairn, session)
  const job = { ...store.options, do: 'call', operation: `store.${upkeep.verb}`, input: begun.input } as const
  const { signal, refused, raw, errors } = await runChild(job, how)
  expect([refused, raw, errors], what).toEqual([[], [], ''])
  if (!upkeep.beginsDamaged) await store.verify()
  await begun.expectWhole()
  await doAgain(upkeep, await store.open(), begun)
  await begun.expectDone()
  await store.close()
  return signal === 'SIGKILL'
}

/** Calls on the files of the store; every upkeep makes so many of them. */
const calls = { pwrite64: [1, 8], fsync: [1] }

for (const kind of STORES) {
  describe(`a process that dies in the middle of upkeep on ${kind.name}`, () => {
    const store = sharedStore(kind)

    for (const upkeep of UPKEEPS) {
      it(`U48 S0-107 leaves the store whole when it does ${upkeep.name}, which can be done again`, async () => {
        await eachDeath(upkeep.deaths, (point, hit) => {
          const at = { env: { CAIRN_FAILPOINT: `${point}:kill@${hit}` } }
          return dieAndDoAgain(upkeep, store(), at, `${point} ${hit}`)
        })
      })
    }
  })
}

describe('a process that dies at a call to the file system in the middle of upkeep', () => {
  const store = sharedStore(STORES[0] as StoreKind)

  /** Only calls on the files of the store count: those of Node itself are none of ours. */
  function under(call: string, hit: number): readonly string[] {
    const files = ['', '-wal', '-shm', '-log'].flatMap((end) => ['-P', join(store().home, `cairn.db${end}`)])
    const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${hit}`]
    return ['strace', '-f', '-qq', '-o', join(newFolder(), 'trace'), ...files, ...inject]
  }

  for (const upkeep of UPKEEPS) {
    it(`U48 S0-107 leaves the store whole when it does ${upkeep.name}, which can be done again`, async (context) => {
      if (why) context.skip(why)
      await eachDeath(calls, (call, hit) =>
        dieAndDoAgain(upkeep, store(), { under: under(call, hit) }, `${call} ${hit}`),
      )
    })
  }
})
