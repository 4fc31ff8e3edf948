// The built client in a page of the server's own, in a real browser and under the rules that the server gives its pages.
import { basename, resolve } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { partList } from '../../src/domain/parts.ts'
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

/** What a page is given: nothing of it may be Node's, so none of Node's modules is known here. */
async function bundled(entry: string): Promise<string> {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
  })
  const used = Object.keys(metafile.inputs).filter((path) => !/^(?:src\/(?:domain|json)|test)\//.test(path))
  expect(used).toEqual([])
  return outputFiles[0]?.text ?? ''
}

it('the rules and JSON are all that a page needs to keep the rows of a root by itself', async ({ skip }) => {
  const script = await bundled('test/client/browser-rows.ts')
  expect(script).not.toMatch(/\bnode:|\bBuffer\b|\bprocess\./)
  if (typeof browser === 'string') return skip(`no Chromium can be started here: ${browser}`)
  const { url, token, direct, session } = await startedIn(cairn)
  await direct.state.replace({ session, state: { n: 1, object: { wide: '*'.repeat(2000) } } })
  for (let at = 0; at < 40; at++)
    await direct.state.append({ session, key: 'long', items: [`${at} ${'+'.repeat(200)}`] })
  const page = await browser.newPage()
  await page.route('**/client.js', (route) => route.fulfill({ path: resolve('dist/client.js') }))
  await page.route('**/rows.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }))
  await page.goto(`${url}/docs`)
  const options = JSON.stringify({ url, token, session })
  const loaded = `Promise.all([import('/client.js'), import('/rows.js')])`
  const working = page.evaluate(`${loaded}.then(([client, { keepRows }]) => keepRows(client, ${options}))`)
  await direct.state.wait({ session, key: 'ready', timeout: '30s' })
  const { session_id: child } = await direct.session.create({ topic: 'below', parent: session, name: 'Below' })
  for (let at = 0; at < 40; at++) await direct.state.append({ session: child, key: 'long', items: [at] })
  await direct.state.merge({ session, key: 'object', patch: { m: { n: 1 } } })
  await direct.state.jsonPatch({ session, key: 'long', operations: [{ op: 'remove', path: '/0' }] })
  for (let at = 0; at < 5; at++) await direct.state.append({ session, key: 'long', items: [at] })
  await direct.state.setAdd({ session, key: 'set', items: ['a', 'b'] })
  await direct.state.set({ session: child, key: 'mine', value: 1, ephemeral: true })
  await direct.schema.set({ session, target: 'n', schema: { type: 'number' } })
  await direct.state.delete({ session, key: 'n' })
  await direct.session.end({ session: child, status: 'failed', reason: 'enough' })
  await direct.state.set({ session, key: 'over', value: true })
  const { heard, found } = (await working) as {
    heard: number
    found: Record<string, { differences: string[]; rows: number }>
  }
  expect(heard).toBeGreaterThan(45)
  expect(Object.entries(found).map(([part, { differences }]) => [part, differences])).toEqual(
    partList.map(({ name }) => [name, []]),
  )
  expect(found.state?.rows).toBeGreaterThan(10)
  expect(found.sessions?.rows).toBeGreaterThan(4)
})
