// How the dashboard is served, and how a browser is let in: seen from outside, without one.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'

/** A page that takes longer to load than to read is not looked at. */
const firstPageBytesMax = 250_000

const cairn = sandbox()
const fromPage = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'x-cairn': '1' }

async function logIn(link: string): Promise<{ cookie: string; location: string | null }> {
  const answer = await fetch(link, { redirect: 'manual' })
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { cookie, location: answer.headers.get('location') }
}

const aboutOf = (url: string, cookie: string) =>
  fetch(`${url}/ui/about.json`, { headers: { ...fromPage, cookie } }).then((answer) => answer.status)

describe('the dashboard', () => {
  it(`has a first page of at most ${firstPageBytesMax} bytes of JavaScript with gzip`, () => {
    const folder = resolve('dist/ui/assets')
    const page = readFileSync(resolve('dist/ui/index.html'), 'utf8')
    const main = /assets\/(main-\w+\.js)/.exec(page)?.[1] as string
    const text = readFileSync(join(folder, main), 'utf8')
    // Whatever it imports at once is part of it.
    const imported = [...text.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g)].map(([, name]) => name as string)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(imported))
    const files = [text, ...imported.map((name) => readFileSync(join(folder, name), 'utf8'))]
    const bytes = files.reduce((sum, each) => sum + gzipSync(each).length, 0)
    process.stdout.write(`dashboard: ${bytes} bytes of JavaScript with gzip on its first page\n`)
    expect(bytes).toBeLessThanOrEqual(firstPageBytesMax)
  })

  it('S0-47 is one page for every path below /ui/, whose files are kept for ever by their names', async () => {
    const { url } = await startServer(cairn)
    const page = await fetch(`${url}/ui/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'self'/)
    const html = await page.text()
    expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*src=)/)
    for (const path of ['/ui', '/ui/s/sess_x/state?at=4', '/ui/a/b/c/d']) {
      expect(await (await fetch(url + path)).text()).toBe(html)
    }
    const assets = [...html.matchAll(/"(\/ui\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
    expect(assets).toHaveLength(2)
    for (const path of assets) {
      const asset = await fetch(url + path)
      expect([asset.status, asset.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
      expect(asset.headers.get('content-encoding')).toBe('gzip')
      const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(await plain.text()).toBe(await asset.text())
    }
    for (const path of ['main-XXXX.js', '../index.html', '..%2Findex.html', '%2e%2e%2f%2e%2e%2fcli.cjs', 'x/y.js']) {
      expect([path, (await fetch(`${url}/ui/assets/${path}`)).status]).toEqual([
        path,
        path === '../index.html' ? 200 : 404,
      ])
    }
  })

  it('U57 keeps a login over a restart of the server, and not over its end', async () => {
    const first = await startServer(cairn)
    const { cookie, location } = await logIn(first.login)
    expect(location).toBe('/ui/')
    const other = (await logIn((await cairn.answer(['ui', '--print'])).login)).cookie
    expect([await aboutOf(first.url, cookie), await aboutOf(first.url, other)]).toEqual([200, 200])
    await first.stop()
    const second = await startServer(cairn)
    expect([await aboutOf(second.url, cookie), await aboutOf(second.url, other)]).toEqual([200, 200])
    const forged = `${cookie.slice(0, -4)}AAAA`
    expect(await aboutOf(second.url, forged)).toBe(401)
    const later = cookie.replace(/\.(\d+)\./, (_, until) => `.${Number(until) + 1000}.`)
    expect(await aboutOf(second.url, later)).toBe(401)
    const left = await fetch(`${second.url}/logout`, { method: 'POST', headers: { ...fromPage, cookie } })
    expect([left.status, left.headers.get('set-cookie')]).toEqual([204, expect.stringMatching(/^cairn=; .*Max-Age=0/)])
    expect([await aboutOf(second.url, cookie), await aboutOf(second.url, other)]).toEqual([401, 200])
    await second.stop()
    const third = await startServer(cairn)
    expect([await aboutOf(third.url, cookie), await aboutOf(third.url, other)]).toEqual([401, 200])
    await cairn.answer(['token', 'rotate', 'install'])
    expect(await aboutOf(third.url, other)).toBe(401)
  })

  it('cairn ui starts a server where none runs, and prints a link that works once', async () => {
    const { out } = await cairn.run(['ui', '--print', '--port', '0'])
    const link = /^(http:\S+\/login\?code=\S+)\n$/.exec(out)?.[1] as string
    expect((await logIn(link)).cookie).toMatch(/^cairn=/)
    expect((await logIn(link)).cookie).toBe('')
    const { url, login } = await cairn.answer(['ui'])
    expect(url).toBe(new URL('/ui/', link).href)
    expect(login).not.toBe(link)
    await cairn.answer(['down'])
  })
})
