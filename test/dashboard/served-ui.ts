// The built program serving a store of its own, and one browser for the tests of a file.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { type Sandbox, sandbox } from '../cli/sandbox.ts'
import { startBrowser } from '../client/chromium.ts'

/** What the pages of a test said. */
const said: string[] = []

/** What they may say: it comes after what brings it about, and may come later than the page shows anything of it. */
const forgiven: RegExp[] = []

export interface ServedUi {
  readonly cairn: Sandbox
  readonly url: string
  readonly browser: Browser
}

/** Errors that a test brings about on purpose, such as a server that is gone. */
export function forgive(pattern: RegExp): void {
  forgiven.push(pattern)
}

export function nothingWrongWasSaid(): void {
  const patterns = forgiven.splice(0)
  const wrong = said.splice(0).filter((text) => !patterns.some((pattern) => pattern.test(text)))
  expect(wrong).toEqual([])
}

/** `config` is what stands in the settings of its data folder. */
export function servedUi(config = {}): ServedUi {
  const served = { cairn: sandbox() } as { cairn: Sandbox; url: string; browser: Browser }
  beforeAll(async () => {
    mkdirSync(served.cairn.home, { mode: 0o700 })
    writeFileSync(join(served.cairn.home, 'config.json'), JSON.stringify(config), { mode: 0o600 })
    served.url = (await served.cairn.answer(['up', '--port', '0'])).url
    const browser = await startBrowser()
    if (typeof browser === 'string') throw new Error(`no Chromium can be started here: ${browser}`)
    served.browser = browser
  })
  afterAll(async () => {
    await served.browser?.close()
    await served.cairn.run(['down'])
  })
  return served
}

/** A new link, as `cairn ui --print` gives it. */
export async function newLink({ cairn }: ServedUi): Promise<string> {
  const { out } = await cairn.run(['ui', '--print'])
  return out.trim()
}

/** A page of a browser that was logged in. */
export async function loggedIn(
  served: ServedUi,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await served.browser.newContext(options)
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  listenTo(page)
  await page.goto(await newLink(served))
  await page.locator('nav.side').waitFor({ state: 'attached' })
  return { page, context }
}

export function listenTo(page: Page): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) said.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => said.push(String(error.stack)))
}

/** Stops the server and starts it again where it was. */
export async function restart({ cairn, url }: ServedUi): Promise<void> {
  await cairn.answer(['down'])
  await cairn.answer(['up', '--port', new URL(url).port])
}

export function ownerOf({ cairn, url }: ServedUi) {
  return connect({ url, token: new InstallTokenFile(cairn.home).text(), actor: 'a test' })
}
