import { describe, expect, it } from 'vitest'
import { STORES, sharedStore } from '../setup/stores.ts'
import { document } from './documented.ts'
import { serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]

describe('the reader of the interface', () => {
  const store = sharedStore(sqlite)

  it('is a page of the package that needs no token and loads nothing from elsewhere', async () => {
    const { port } = await serveStore(store())
    const url = `http://127.0.0.1:${port}`
    const page = await fetch(`${url}/docs`)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'self'/)
    const html = await page.text()
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
})
