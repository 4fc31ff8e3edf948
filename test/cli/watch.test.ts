// `cairn state watch`: a command that goes on until it is interrupted or nobody reads it.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

interface Watching {
  readonly child: ChildProcess
  /** The next line; undefined at the end. */
  line(): Promise<string | undefined>
  /** How it ended. */
  ended: Promise<unknown[]>
}

function watch(args: readonly string[]): Watching {
  const child = cairn.spawn(['state', 'watch', ...args])
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return { child, line: async () => (await lines.next()).value, ended: once(child, 'exit') }
}

it('shows the past from a sequence on and then what other processes write, and ends well when interrupted', async () => {
  await cairn.answer(['session', 'create', '--topic', 'watched'])
  await cairn.answer(['state', 'set', 'build/a', '{"x": 1}'])
  await cairn.answer(['state', 'set', 'other', '2'])
  const [json, people] = [watch(['--since', '0', '--prefix', 'build/', '--json']), watch(['--since', '2'])]
  expect(JSON.parse((await json.line()) ?? '')).toMatchObject({
    seq: 2,
    type: 'set',
    stream: 'state',
    key: 'build/a',
    data: { value: { x: 1 } },
  })
  expect(await people.line()).toMatch(/^ {2}SEQ {2}TIME {6}BY +STREAM +TYPE +KEY +DATA$/)
  expect(await people.line()).toMatch(
    /^ +3 {2}\d\d:\d\d:\d\d {2}\d{4}-\d\d-\d\d_\w+…? +state +set +other +\{"value":2\}$/,
  )
  // The prefix hides one of these; what is about the whole document is always shown.
  await cairn.answer(['state', 'set', 'another', '3'])
  await cairn.answer(['state', 'delete', 'build/a'])
  await cairn.answer(['state', 'replace', '{}'])
  expect(JSON.parse((await json.line()) ?? '')).toMatchObject({ seq: 5, type: 'delete', key: 'build/a' })
  expect(JSON.parse((await json.line()) ?? '')).toMatchObject({ seq: 6, type: 'full_replace', key: null })
  expect(await people.line()).toMatch(/^ +4 .* set +another +\{"value":3\}$/)
  for (const { child, ended } of [json, people]) {
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  }
})

it('begins with what is to come, and ends when its reader has gone', async () => {
  const watching = watch(['--json'])
  // It says nothing of the past, so that it listens shows only in what comes.
  let first: string | undefined
  const reading = watching.line().then((line) => {
    first = line
  })
  for (let n = 0; first === undefined; n++) await cairn.answer(['state', 'set', 'n', String(n)])
  await reading
  expect(JSON.parse(first ?? '')).toMatchObject({ key: 'n', type: 'set' })
  watching.child.stdout?.destroy()
  let isOver = false
  void watching.ended.then(() => {
    isOver = true
  })
  while (!isOver) await cairn.answer(['state', 'set', 'n', '"on"'])
  expect(await watching.ended).toEqual([0, null])
})

it('refuses what it cannot show', async () => {
  expect(await cairn.run(['state', 'watch', '--since', 'x'])).toMatchObject({ exit: 4, out: '' })
  expect(await cairn.run(['state', 'watch', '--session', 'nobody-here'])).toMatchObject({ exit: 3, out: '' })
})

it('waits and claims as commands', async () => {
  const waiting = cairn.answer(['state', 'wait', 'w', '--equals', '{"a": 1}', '--timeout', '1m'])
  await cairn.answer(['state', 'set', 'w', '{"a": 1}'])
  expect(await waiting).toMatchObject({ key: 'w', value: { a: 1 }, version: 1 })
  expect(await cairn.run(['state', 'wait', 'w', '--condition', 'absent', '--timeout', '10ms', '--json'])).toMatchObject(
    {
      exit: 6,
    },
  )
  expect(await cairn.run(['state', 'wait', 'x', '--condition', 'absent'])).toMatchObject({
    exit: 0,
    out: 'x is absent\n',
  })
  expect(await cairn.run(['state', 'wait', 'w', '--condition', 'value ='])).toMatchObject({ exit: 4, out: '' })
  const { token } = await cairn.answer(['state', 'claim', 'w', '--ttl', '1h'])
  expect(token).toMatch(/^1\.[0-9a-f]{32}$/)
  expect(await cairn.run(['state', 'claim', 'w', '--ttl', '1h'])).toMatchObject({ exit: 5, out: '' })
  await cairn.answer(['state', 'set', 'w', '2', '--fence', `key/w:${token}`, '--ephemeral', '--ttl', '1h'])
  expect(await cairn.answer(['state', 'heartbeat', 'w', '--token', token])).toMatchObject({ key: 'w', token })
  expect(await cairn.answer(['state', 'release', 'w', '--token', token])).toMatchObject({ released: true })
  expect(await cairn.run(['state', 'set', 'w', '3', '--fence', `key/w:${token}`])).toMatchObject({ exit: 5 })
  const { session_id: root } = (await cairn.answer(['ls'])).sessions[0]
  await cairn.answer(['session', 'end', root])
  expect((await cairn.answer(['state', 'get', '--session', root])).state).toEqual({ n: 'on' })
})
