// Many clients count together while their connections are cut everywhere and the server is killed: the sum is exact.
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { sandbox } from '../cli/sandbox.ts'
import { drawing } from '../setup/random-steps.ts'
import { seedOf } from '../setup/seed.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import type { Fault } from './cutting.ts'
import { Lives } from './lives.ts'

const deaths = process.env.CAIRN_LONG === undefined ? 2 : 40
const clients = 5
const callsOfLife = 8
const timeout = 60_000 + deaths * 15_000

describe.each(STORES)('calls of the client through a storm, on $name', (kind) => {
  const cairn = sandbox()
  const store = sharedStore(kind)
  const seed = seedOf(15)

  it(`U15 every change takes effect once, and is answered as what it did (seed ${seed})`, { timeout }, async () => {
    const lives = await Lives.of(cairn, store())
    const session = await store().createRoot()
    const draw = drawing(seed)
    const faults: readonly Fault[] = ['none', 'none', 'none', 'connecting', 'before', 'after', 'middle', { bytes: 40 }]
    const added: number[] = []
    const counting = async (name: number) => {
      const client = connect({ url: lives.cutting.url, token: lives.token, session, actor: `client ${name}` })
      for (let call = 0; call < callsOfLife; call++) {
        added.push((await client.state.increment({ key: 'n' })).value as number)
        await client.state.append({ key: 'names', items: [`${name} ${call}`] })
      }
      await client.close()
    }
    for (let life = 0; life <= deaths; life++) {
      const cuts = Array.from({ length: clients * callsOfLife }, () => faults[draw(faults.length)] as Fault)
      lives.cutting.plan.push(...cuts)
      const counted = Promise.all(Array.from({ length: clients }, (_, name) => counting(name)))
      if (life < deaths) {
        while (lives.cutting.plan.length > cuts.length / 2) await new Promise((resolve) => setTimeout(resolve, 1))
        await lives.die()
        await lives.riseAgain()
      }
      await counted
    }
    const sum = clients * callsOfLife * (deaths + 1)
    expect(added.sort((a, b) => a - b)).toEqual(Array.from({ length: sum }, (_, at) => at + 1))
    const direct = lives.direct(session)
    expect(await direct.state.get({ key: 'n' })).toMatchObject({ value: sum, version: sum })
    const { value: names } = await direct.state.get({ key: 'names' })
    expect(names).toHaveLength(sum)
    expect(lives.cutting.plan).toEqual([])
    await lives.stop()
  })
})
