// Keys with a slash, which separates the parts of a path.
import { expect, it } from 'vitest'
import { STORES, sharedStore } from '../setup/stores.ts'
import { document, entries, type Part } from './documented.ts'
import { serveStore } from './served.ts'

const [sqlite] = STORES as [(typeof STORES)[number]]
const store = sharedStore(sqlite)

it('a slash in a key is written %2F, and a path that forgets it says so', async () => {
  const session = await store().createRoot()
  const served = await serveStore(store())
  const state = `/sessions/${session}/state`
  const put = await served.ask('PUT', `${state}/keys/a%2Fb%2Fhistory`, { body: { value: 1 } })
  expect(put.body).toMatchObject({ key: 'a/b/history', version: 1 })
  expect((await served.ask('GET', `${state}/keys/a%2Fb%2Fhistory`)).body).toMatchObject({ value: 1 })
  for (const path of [`${state}/keys/a/b/c`, `${state}/a/b/c`]) {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, body } = await served.ask(method, path, method === 'PUT' ? { body: { value: 1 } } : {})
      expect([status, body.error]).toEqual([404, 'not_found'])
      expect(body.hint).toBe(
        `A key is at …/state/keys/{key}, with each / in it written as %2F: ${state}/keys/a%2Fb%2Fc`,
      )
    }
  }
  // Whoever does as it is told finds the key.
  expect((await served.ask('PUT', `${state}/keys/a%2Fb%2Fc`, { body: { value: 1 } })).status).toBe(200)
  expect((await served.ask('GET', '/nothing/at/all')).body.hint).toBe('See /docs for all paths.')
})

it('the description says it, of all paths and of each key', () => {
  expect(String((document.info as Part).description)).toContain('a%2Fb')
  const keyed = entries.filter(({ path }) => path.includes('{key}'))
  expect(keyed.length).toBeGreaterThan(8)
  for (const { operation, path } of keyed) {
    const [key] = (operation.parameters as unknown as Part[]).filter(({ name }) => String(name) === 'key')
    expect([path, key?.description]).toEqual([path, expect.stringContaining('%2F')])
  }
})
