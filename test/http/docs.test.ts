import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../src/operations/index.ts'
import { startBrowser } from '../client/chromium.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { document, entries, type Part } from './documented.ts'
import { serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]
const run = promisify(execFile)

/** Lines to try, as the document has them. */
function samplesOf(operation: Part): string[] {
  return ((operation['x-codeSamples'] ?? []) as unknown as Part[]).map(({ source }) => String(source))
}

describe('the reader of the interface', () => {
  const store = sharedStore(sqlite)

  it('is a page of the package that needs no token and loads nothing from elsewhere', async () => {
    const { port } = await serveStore(store())
    const url = `http://127.0.0.1:${port}`
    const page = await fetch(`${url}/docs`)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'self'/)
    const html = await page.text()
    expect(html).toMatch(/<noscript>[\s\S]*needs JavaScript[\s\S]*openapi\.json[\s\S]*<\/noscript>/)
    expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]* src=)/)
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
    expect(named.sort()).toEqual(['/docs/icon.svg', '/docs/page.css', '/docs/page.js', '/openapi.json'])
    for (const path of named) {
      const part = await fetch(url + path)
      expect([path, part.status]).toEqual([path, 200])
      expect(await part.text()).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    }
    const read = (await (await fetch(`${url}/openapi.json`)).json()) as unknown
    expect(read).toEqual(document)
  })

  it('has a curl line for each call, and each of them is taken as it is', async () => {
    const session = await store().createRoot()
    const { port, ask } = await serveStore(store())
    const token = (await ask('POST', '/tokens', { body: { kind: 'reader' } })).body
    const env = {
      PATH: process.env.PATH,
      CAIRN_URL: `http://127.0.0.1:${port}`,
      CAIRN_TOKEN: 'owner',
      SESSION: session,
      TOKEN_ID: String(token.id),
    }
    for (const { method, path, operation } of entries) {
      const samples = samplesOf(operation)
      expect([method, path, samples.length > 0]).toEqual([method, path, true])
      for (const line of samples) expect(line).toMatch(/^curl .*"\$CAIRN_URL\/[^"]*"$/)
      if (untried.test(path)) continue
      for (const line of samples) {
        const { stdout } = await run('sh', ['-c', `${line} -s -m 20 -o /dev/null -w '%{http_code}'`], { env })
        expect.soft([line, misunderstood.includes(Number(stdout))]).toEqual([line, false])
      }
    }
  })
})

/** What is not served here, has no end, is about a file, waits, or takes away what the others need. */
const untried =
  /^\/$|^\/metrics|^\/events|blobs|\.(?:backup|restore|join|adopt|end|erase|remove)$|\/(?:end|wait)$|\.wait$/

/** Statuses of requests that were not understood: the rest depends on what is there. */
const misunderstood = [0, 400, 405, 415, 422, 428, 500]

describe('the reader in a browser', () => {
  const store = sharedStore(sqlite)
  let browser: Awaited<ReturnType<typeof startBrowser>>

  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(async () => {
    if (typeof browser !== 'string') await browser?.close()
  })

  it('lists every operation once, with lines to copy and unions that fit on a screen', async ({ skip }) => {
    if (typeof browser === 'string') return skip(`no Chromium can be started here: ${browser}`)
    const { port } = await serveStore(store())
    const page = await browser.newPage()
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
    await page.goto(`http://127.0.0.1:${port}/docs`)
    await page.waitForSelector('details')
    const listed = await page.locator('details').evaluateAll((all: { id: string }[]) => all.map(({ id }) => id))
    const shown = listed.flatMap((id) => id.replace(/^call\./, '').split('.or.'))
    expect(shown).toEqual([...new Set(shown)])
    // Those of a key share one entry; what goes on without end is the feed.
    const ofKey = entries.flatMap(({ path, operation }) =>
      path.endsWith('/ops') ? samplesOf(operation).map((line) => /"operation":"(\w+)"/.exec(line)?.[1] ?? '') : [],
    )
    for (const { name, kind } of Object.values(operations).flatMap((verbs) => Object.values(verbs))) {
      const word = (name.split('.')[1] as string).replace(/[A-Z]/g, (letter: string) => `_${letter.toLowerCase()}`)
      if (kind !== 'stream' && !ofKey.includes(word)) expect(shown).toContain(name)
    }
    const textOf = async (id: string): Promise<string> => {
      const entry = page.locator(`details[id="${id}"]`)
      await entry.locator('summary').click()
      return entry
        .locator('.inside')
        .textContent()
        .then((text) => text ?? '')
    }
    const batch = await textOf('state.batch')
    expect(batch).toContain('curl -X POST')
    expect(batch).toMatch(/one of\n\s*\{ op: "set", value: any JSON, .*if_match\?: integer \}/)
    expect(batch.split('\n').length).toBeLessThan(80)
    const ops = await textOf('state.ops')
    expect(ops).toMatch(/\{ operation: "increment", delta\?: number \}/)
    expect(ops.split('\n').length).toBeLessThan(120)
    expect(await textOf('log.list.or.log.wait')).toMatch(/wait.*Long poll/s)
    expect(wrong).toEqual([])
    await page.close()
  })
})
