// The State tab in a real browser, against the built program.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Demo, demoWork } from './demo-work.ts'
import { forgive, loggedIn, nothingWrongWasSaid, ownerOf, servedUi } from './served-ui.ts'

const served = servedUi({ dashboardEdits: true })
let demo: Demo

beforeAll(async () => {
  demo = await demoWork(ownerOf(served))
})
afterEach(nothingWrongWasSaid)

const stateUrl = (query = '') => `${served.url}/ui/s/${demo.root}/state${query}`

describe('the State tab', () => {
  it('S0-47 S0-73 S0-123 S0-124 S0-131 shows every key with value, version, time and author', async () => {
    const { page } = await loggedIn(served)
    await page
      .getByRole('link', { name: /Make the parser faster/ })
      .first()
      .click()
    await page.getByRole('tab', { name: 'State' }).click()
    const row = page.getByRole('row', { name: /^done/ })
    await row.waitFor()
    expect(await row.getByRole('gridcell').allTextContents()).toEqual(['done', '1', '2', expect.any(String), 'profile'])
    expect(await page.getByRole('row').count()).toBe(6)
    await page.getByRole('searchbox', { name: 'Filter keys' }).fill('build')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.context().close()
  })

  it('S0-125 what one browser, or an agent, changes another sees without asking', async () => {
    const { page } = await loggedIn(served)
    const { page: other } = await loggedIn(served)
    await Promise.all([page.goto(stateUrl()), other.goto(stateUrl('?key=live'))])
    await other.getByText('There is no such key now').waitFor()
    forgive(/404 .*state\.(?:history|why)/)
    await demo.cairn.state.set({ session: demo.agents.fix, key: 'live', value: { n: 1 } })
    await page.getByRole('row', { name: /^live/ }).getByText('{n: 1}').waitFor()
    await other.getByRole('complementary', { name: 'Key live' }).getByText('by fix').waitFor()
    await other.getByRole('button', { name: 'Edit…' }).click()
    await other.getByRole('textbox').fill('{"n": 2}')
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /^live/ }).getByText('{n: 2}').waitFor()
    expect(await demo.cairn.state.get({ session: demo.root, key: 'live' })).toMatchObject({
      value: { n: 2 },
      version: 2,
    })
    await demo.cairn.state.delete({ session: demo.root, key: 'live' })
    await page.getByRole('row', { name: /^live/ }).waitFor({ state: 'detached' })
    await Promise.all([page.context().close(), other.context().close()])
  })

  it('S0-74 S0-105 S0-127 a click on a key shows its history with authors and causes, and what differs', async () => {
    const { page } = await loggedIn(served)
    await page.goto(stateUrl())
    await page.getByRole('row', { name: /^findings/ }).click()
    const panel = page.getByRole('complementary', { name: 'Key findings' })
    await panel.getByText('because of').waitFor()
    expect(await panel.getByRole('checkbox').count()).toBe(3)
    await panel.getByRole('checkbox', { name: 'Compare version 1' }).check()
    await panel.getByRole('checkbox', { name: 'Compare version 3' }).check()
    const diff = panel.getByRole('region', { name: 'Version 1 and version 3' })
    await diff.getByText('line 88: split() in a loop').waitFor()
    expect(await diff.getByRole('listitem').count()).toBe(2)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('C26 an edit that lost its race overwrites nothing: both values stand side by side', async () => {
    const { page } = await loggedIn(served)
    await demo.cairn.state.set({ session: demo.root, key: 'raced', value: 'old' })
    await page.goto(stateUrl('?key=raced'))
    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByRole('textbox').fill('"mine"')
    await demo.cairn.state.set({ session: demo.agents.read, key: 'raced', value: 'theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    const now = page.getByRole('region', { name: 'The value now' })
    await now.getByText('"theirs"').waitFor()
    forgive(/409 .*state\.set/)
    expect(await demo.cairn.state.get({ session: demo.root, key: 'raced' })).toMatchObject({ value: 'theirs' })
    await now.getByRole('button', { name: 'Replace that version with yours' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await demo.cairn.state.get({ session: demo.root, key: 'raced' })).toMatchObject({
      value: 'mine',
      version: 3,
    })
    await page.context().close()
  })

  it('a value of a megabyte is folded, and opens in pieces', async () => {
    const { page } = await loggedIn(served)
    await demo.cairn.state.set({ session: demo.root, key: 'large', value: `begin ${'x'.repeat(1_000_000)} end` })
    await page.goto(stateUrl('?key=large'))
    const panel = page.getByRole('complementary', { name: 'Key large' })
    await panel.getByText('begin xxx').waitFor()
    await panel.getByRole('button', { name: /^more/ }).waitFor()
    expect((await panel.textContent())?.length).toBeLessThan(20_000)
    await page
      .getByRole('row', { name: /^large/ })
      .getByText('976.6 KiB')
      .waitFor()
    await page.context().close()
  })
})
