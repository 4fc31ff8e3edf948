import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../src/client/connect.ts'
import { InstallTokenFile } from '../../src/home/owner-token.ts'
import { serveHere } from '../setup/serve-here.ts'

it('FAULTS 66 a large answer that is being taken when the server stops is sent to its end', async () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-stopping-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const serving = await serveHere({ home, port: 0 })
  const { url } = serving.discovered
  const token = new InstallTokenFile(home).text()
  const cairn = connect({ url, token })
  const { session_id: session } = await cairn.session.create({ topic: 't' })
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    await cairn.state.set({ session, key, value: 'x'.repeat(900_000) })
  const asking = get(`${url}/sessions/${session}/state`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  })
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const stopping = serving.stop()
  const body = await buffer(response)
  expect(body.length).toBe(Number(response.headers['content-length']))
  await stopping
})
