// Updates by version over HTTP, while others write the same key.
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { sandbox } from '../cli/sandbox.ts'
import { refused } from '../setup/roots.ts'
import { startedIn } from './started.ts'

const cairn = sandbox()
const writers = 20

it('U18 S0-143 twenty writers on one key all get through', async () => {
  const { url, token, direct, session } = await startedIn(cairn)
  const clients = Array.from({ length: writers }, () => connect({ url, token, session }))
  onTestFinished(async () => void (await Promise.all(clients.map((each) => each.close()))))
  const mine = (at: number) => (before: unknown) => [...((before ?? []) as number[]), at]
  const done = await Promise.all(clients.map((each, at) => each.state.update({ key: 'list', fn: mine(at) })))
  const versions = done.map(({ version }) => version).sort((a, b) => a - b)
  expect(versions).toEqual(Array.from({ length: writers }, (_, at) => at + 1))
  const { value, version } = await direct.state.get({ session, key: 'list' })
  expect(version).toBe(writers)
  expect((value as number[]).sort((a, b) => a - b)).toEqual(Array.from({ length: writers }, (_, at) => at))
})

it('U18 a writer that always comes too late is told so at its deadline, with what is there', async () => {
  const { direct, session } = await startedIn(cairn)
  let tries = 0
  const fn = async () => {
    tries += 1
    await direct.state.set({ session, key: 'busy', value: tries })
    return 'mine'
  }
  const refusal = await refused(direct.state.update({ session, key: 'busy', fn, deadlineMs: 200 }))
  expect(refusal).toMatchObject({
    code: 'version_conflict',
    details: { key: 'busy', current_version: tries, current_value: tries },
  })
  expect(tries).toBeGreaterThan(1)
})
