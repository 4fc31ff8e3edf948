// What a person and a program meet first: `/`, and a link to log in that is not valid any more.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { serveHere } from '../setup/serve-here.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

/** What browsers say when somebody types an address. */
const browser = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'none',
}

describe('the start page', () => {
  const store = sharedStore(sqlite)

  async function started() {
    const serving = await serveHere({ ...store().options, port: 0, version: '1.2.3' })
    onTestFinished(() => serving.stop())
    const { url } = serving.discovered
    const get = async (path: string, headers: Record<string, string> = {}) => {
      // Not by fetch, which says itself what kind of request it makes.
      const [response] = (await once(request(new URL(path, url), { headers }).end(), 'response')) as [IncomingMessage]
      const chunks = await response.toArray()
      return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() }
    }
    return { url, login: serving.login, token: new InstallTokenFile(store().home).text(), get }
  }

  it('tells a program what this is, whether its token counts, and where to go on', async () => {
    const { url, token, get } = await started()
    const { status, headers, text } = await get('/')
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const { links, ...about } = JSON.parse(text) as { links: Record<string, string> }
    expect(about).toEqual({
      name: 'cairn',
      version: '1.2.3',
      description: expect.stringMatching(/\S/),
      authenticated: false,
    })
    const authorization = `Bearer ${token}`
    expect(JSON.parse((await get('/', { authorization })).text)).toMatchObject({ authenticated: true })
    expect(JSON.parse((await get('/', { authorization: 'Bearer wrong' })).text)).toMatchObject({ authenticated: false })
    for (const path of Object.values(links)) {
      const going = new AbortController()
      const found = await fetch(new URL(path, url), { headers: { authorization }, signal: going.signal })
      // MCP wants a message.
      expect([path, found.status]).toEqual([path, path === '/mcp' ? 400 : 200])
      going.abort()
    }
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('shows a person a page of its own, which says how to log in, and afterwards that one is', async () => {
    const { url, login, get } = await started()
    const first = await get('/', browser)
    expect([first.status, first.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(first.headers['content-security-policy']).toMatch(/default-src 'self'/)
    expect(first.text).toMatch(/not logged in.*cairn ui/s)
    expect(first.text).toContain(`${url}/sessions`)
    // Nothing that the rules for pages forbid, and nothing from elsewhere.
    expect(first.text).not.toMatch(/<style|style=|\son\w+=|<script/)
    const named = [...first.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string)
    expect(named).toContain('/docs')
    for (const path of new Set(named)) {
      expect([path, (await get(path)).status]).toEqual([path, path === '/metrics' ? 401 : 200])
    }
    const { status, headers } = await get(login, browser)
    expect([status, headers.location]).toEqual([303, '/ui/'])
    const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const after = await get('/', { ...browser, cookie })
    expect(after.text).toMatch(/is logged in/)
    expect(after.text).not.toMatch(/not logged in/)
    expect((await get('/', { ...browser, cookie: 'cairn=stale' })).text).toMatch(/not logged in/)
  })

  it('a link that was used says what to do: as a page to a person, as JSON to a program', async () => {
    const { login, get } = await started()
    expect((await get(login)).status).toBe(303)
    const page = await get(login, browser)
    expect([page.status, page.headers['content-type']]).toEqual([401, 'text/html; charset=utf-8'])
    expect(page.text).toMatch(/invalid or has expired.*<code>cairn ui<\/code>/s)
    expect(page.text).not.toMatch(/<style|style=|\son\w+=|<script/)
    expect(page.headers['set-cookie']).toBeUndefined()
    const json = await get(login)
    expect(json.status).toBe(401)
    expect(JSON.parse(json.text)).toMatchObject({ error: 'unauthorized', hint: expect.stringContaining('`cairn ui`') })
  })
})
