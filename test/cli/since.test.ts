// `--since` of every command that has one takes a place in the log and a time alike, and so do REST and the client.
import { beforeAll, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { startServer } from '../server/servers.ts'
import { sandbox } from './sandbox.ts'

const cli = sandbox()
let root = ''
/** The time of the second of three events. */
let second = ''

beforeAll(async () => {
  root = await cli.session('Faster parser')
  await cli.answer(['state', 'set', 'a', '1', '--session', root])
  const { events } = await cli.answer(['log', '--session', root])
  second = events[1].at
  while (Date.now() <= Date.parse(second)) await new Promise((done) => setTimeout(done, 1))
  await cli.answer(['state', 'set', 'b', '2', '--session', root])
})

const seqs = ({ events }: { events: { seq: number }[] }) => events.map(({ seq }) => seq)

it('a bare number is a sequence number, everything else a time', async () => {
  const on = ['--session', root]
  for (const [since, expected] of [
    ['1', [2, 3]],
    ['10h', [1, 2, 3]],
    [second, [3]],
    ['2020-01-01', [1, 2, 3]],
    ['now', []],
  ] as const) {
    expect(seqs(await cli.answer(['log', '--since', since, ...on]))).toEqual(expected)
  }
  expect(seqs(await cli.answer(['log', 'wait', '--since', second, ...on]))).toEqual([3])
  expect((await cli.answer(['state', 'events', '--since', second, ...on])).events).toMatchObject([{ key: 'b' }])
  const { document, exit } = await cli.json(['brief', '--since', 'yesterday', ...on])
  expect([exit, document.error, document.hint]).toEqual([4, 'invalid_input', expect.stringContaining('10m (ago)')])
})

it('what is followed begins after a time as well', async () => {
  for (const command of [
    ['state', 'watch'],
    ['log', '-f'],
  ]) {
    const child = cli.spawn([...command, '--since', second, '--json', '--session', root])
    const first = await new Promise<string>((done) => child.stdout?.setEncoding('utf8').once('data', done))
    child.kill('SIGINT')
    expect(JSON.parse(first.split('\n', 1)[0] ?? '')).toMatchObject({ seq: 3, key: 'b' })
  }
})

it('the report is the same over the command line, REST and the client', async () => {
  const server = await startServer(cli)
  const { url, token } = server
  const cairn = connect({ url, token })
  try {
    const ask = { session: root, since: second, at: 3 }
    const { text, report } = await cairn.journal.brief(ask)
    expect(report).toMatchObject({ since: second, done: { agents: { total: 0 }, tasks: { total: 0 } }, running: [] })
    const answer = await server.send('GET', `/sessions/${root}/brief?since=${second}&at=3`)
    expect(await answer.json()).toMatchObject({ text, report })
    const line = await cli.answer(['brief', '--since', second, '--at', '3', '--session', root])
    expect(line).toMatchObject({ text, report })
    for await (const { seq } of cairn.state.watch({ session: root, since: second })) {
      expect(seq).toBe(3)
      break
    }
  } finally {
    await cairn.close()
  }
})
