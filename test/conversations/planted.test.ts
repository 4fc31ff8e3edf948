// Secrets that come into a conversation on every way there is: none of them is anywhere, also while the server still runs.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { sandbox } from '../cli/sandbox.ts'
import { startServer } from '../server/servers.ts'
import { secrets } from '../setup/planted-secrets.ts'

const cli = sandbox()
const ofEnvironment = 'correct-horse-battery-staple-77'

/** What a follower is told until a text is in it. */
async function toldUntil(response: Response, text: string): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let told = ''
  while (!told.includes(text)) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`the feed ended after ${told}`)
    told += decoder.decode(value, { stream: true })
  }
  await reader.cancel()
  return told
}

it('U3 secrets of the environment, messages, arguments and results are in no store, write-ahead log, blob, feed or log', async () => {
  const server = await startServer(cli, ['--log'])
  const { session_id: session } = await server.call('session.create', { topic: 'planted' })
  const feed = await server.send('GET', `/events?session=${session}&since=0`)
  expect(feed.status).toBe(200)
  const planted = Object.values(secrets)
  for (const [at, secret] of planted.entries()) {
    const id = `c${at}`
    const call = { type: 'tool_use', id, name: 'log_in', input: { with: secret, deep: [{ key: `x ${secret}` }] } }
    const long = `${'much output '.repeat(4000)}\n${secret}\n${'more '.repeat(4000)}`
    await server.call('context.append', { session, role: 'user', content: `Take ${secret} now.` })
    await server.call('context.append', { session, role: 'assistant', content: [call], id: `m${at}` })
    await server.call('context.append', { session, role: 'tool', tool_call_id: id, content: long })
  }
  const env = { DEPLOY_PASSWORD: ofEnvironment }
  const append = ['context', 'append', session, '--role', 'user', '--content']
  await cli.answer([...append, `log in with ${ofEnvironment}`], { env })
  await cli.answer([...append, `@${cli.write('long.txt', `${'line\n'.repeat(9000)}${ofEnvironment}`)}`], { env })
  await cli.answer([...append, 'the end of it'], { env })
  const told = await toldUntil(feed, 'the end of it')
  const { messages } = await server.call('context.show', { session, all: true, format: 'raw' })
  const files = readdirSync(cli.home).map((name) => [name, readFileSync(join(cli.home, name))] as const)
  expect(files.map(([name]) => name)).toEqual(expect.arrayContaining(['cairn.db', 'cairn.db-wal']))
  expect(files.some(([, bytes]) => bytes.includes('the end of it'))).toBe(true)
  expect(files.some(([, bytes]) => bytes.includes('much output much output'))).toBe(true)
  await server.stop()
  const after = readdirSync(cli.home).map((name) => [`${name} afterwards`, readFileSync(join(cli.home, name))] as const)
  const said = { feed: told, log: server.err, shown: JSON.stringify(messages) }
  expect(said.log).toContain('context.append')
  const places = [...files, ...after, ...Object.entries(said).map(([name, text]) => [name, Buffer.from(text)] as const)]
  // A private key has several lines: the one in the middle is what must not be there.
  const wanted = [...planted.map((secret) => secret.split('\n')[1] ?? secret), ofEnvironment]
  const found = places.flatMap(([name, bytes]) => wanted.filter((each) => bytes.includes(each)).map(() => name))
  expect(found).toEqual([])
})
