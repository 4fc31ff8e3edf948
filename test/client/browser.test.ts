// The built client in a page of the server's own, in a real browser and under the rules that the server gives its pages.
import { basename, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { startBrowser } from './chromium.ts'
import { startedIn } from './started.ts'

const cairn = sandbox()
let browser: Awaited<ReturnType<typeof startBrowser>>

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(async () => {
  if (typeof browser !== 'string') await browser?.close()
})

it('S0-27 sets, counts once over a lost answer, and follows the feed in a browser', async ({ skip }) => {
  if (typeof browser === 'string') return skip(`no Chromium can be started here: ${browser}`)
  const { url, token, direct, session } = await startedIn(cairn)
  const page = await browser.newPage()
  for (const path of ['dist/client.js', 'test/client/browser-page.js']) {
    await page.route(`**/${basename(path)}`, (route) => route.fulfill({ path: resolve(path) }))
  }
  let lost = 0
  await page.route('**/operations/state.increment', async (route) => {
    // The server does it, and the page does not hear of it.
    if (lost++ > 0) return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.goto(`${url}/docs`)
  const loaded = `Promise.all([import('/client.js'), import('/browser-page.js')])`
  const options = JSON.stringify({ url, token, session })
  const working = page.evaluate(`${loaded}.then(([client, { work }]) => work(client, ${options}))`)
  await direct.state.wait({ session, key: 'n', timeout: '30s' })
  await direct.state.append({ session, key: 'from-elsewhere', items: [1] })
  expect(await working).toMatchObject({
    counted: { value: 1, version: 1 },
    heard: ['set', 'increment', 'append'],
    code: 'version_conflict',
    ended: true,
  })
  expect(lost).toBe(2)
  expect(await direct.state.get({ session, key: 'n' })).toMatchObject({ value: 1, version: 1 })
})
