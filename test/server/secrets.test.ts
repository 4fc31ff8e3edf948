// The password in the URL of a store stays with whoever gave it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { Sandbox } from '../cli/sandbox.ts'
import { freshDatabase } from '../setup/postgres-server.ts'
import { startServer } from './servers.ts'

async function made() {
  const sandbox = new Sandbox()
  const { url: given, drop } = await freshDatabase(inject('postgres'))
  onTestFinished(async () => {
    await sandbox.run(['down'])
    sandbox.remove()
    await drop()
  })
  const url = new URL(given)
  // A server that asks for none takes any.
  url.password ||= 'nobody-asks-for-it'
  const { href, password, hostname, pathname } = url
  return { sandbox, url: href, password, place: [hostname, pathname.slice(1)] }
}

it('the password is in nothing that a server on Postgres says: not in its file, its log or its metrics', async () => {
  const { sandbox, url, password, place } = await made()
  const server = await startServer(sandbox, ['--log'], { CAIRN_STORE: url })
  await server.call('session.create', { topic: 'a secret' })
  const metrics = await (await server.send('GET', '/metrics')).text()
  expect(metrics).toContain('cairn_store_info{kind="postgres"} 1')
  const file = readFileSync(join(sandbox.home, 'server.json'), 'utf8')
  for (const part of place) expect(JSON.parse(file).store).toContain(part)
  const doctor = JSON.stringify(await server.call('store.doctor', {}))
  await server.stop()
  await expect.poll(() => server.err).toContain('POST /operations/session.create')
  for (const said of [metrics, file, doctor, server.err]) expect(said).not.toContain(password)
})

it('the password is not in what cairn up prints, nor in the log it names, whether the store answers or refuses', async () => {
  const { sandbox, url, password, place } = await made()
  const up = (store: string, ...more: string[]) =>
    sandbox.run(['up', '--port', '0', '--log', ...more], { env: { CAIRN_STORE: store } })
  const wrong = new URL(url)
  wrong.pathname = '/not_there_at_all'
  const refused = await up(wrong.href)
  expect([refused.exit, refused.err]).toEqual([6, expect.stringContaining('does not exist')])
  const [first, again, json] = [await up(url), await up(url), await up(url, '--json')]
  expect([first.exit, again.exit, json.exit]).toEqual([0, 0, 0])
  for (const { out } of [first, again, json]) for (const part of place) expect(out).toContain(part)
  expect(again.out).toContain('already running')
  await sandbox.run(['session', 'create', 'A secret'], { env: { CAIRN_STORE: url } })
  await sandbox.run(['down'])
  const log = readFileSync(join(sandbox.home, 'server.log'), 'utf8')
  expect(log).toContain('POST /operations/session.create')
  const said = [refused, first, again, json].flatMap(({ out, err }) => [out, err])
  for (const text of [...said, log]) expect(text).not.toContain(password)
})
