// What people are told in answers, beyond the values themselves.
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sandbox } from './sandbox.ts'

const cairn = sandbox()

describe('answers for people', () => {
  it('a fork of a root that has ended says so, and how to get one to work in', async () => {
    const root = await cairn.session('Over')
    await cairn.answer(['state', 'set', 'a', '1', '--session', root])
    await cairn.answer(['session', 'end', root])
    const { out } = await cairn.run(['fork', root])
    expect(out).toContain('The fork has ended too (completed)')
    const [, at = ''] = / --at (\d+)\n$/.exec(out) ?? []
    const open = await cairn.answer(['fork', root, '--at', at])
    expect(await cairn.answer(['state', 'set', 'a', '2', '--session', open.session_id])).toMatchObject({ value: 2 })
    const tree = await cairn.run(['tree', open.session_id, '--forks'])
    expect(tree.out).toContain(`Forked from ${root}, after event ${at}\n`)
    await cairn.answer(['session', 'end', open.session_id])
  })

  it('what was done is said in words, not as the members of an answer', async () => {
    const root = await cairn.session('Said')
    const on = ['--session', root]
    const said = async (...line: string[]) => (await cairn.run(line)).out
    const { token } = await cairn.answer(['lease', 'claim', 'build', '--ttl', '1h', ...on])
    expect(await said('lease', 'heartbeat', 'build', token, ...on)).toMatch(
      /^build is held until \S+Z \(in 59 min\)\n$/,
    )
    expect(await said('lease', 'release', 'build', token, ...on)).toBe('build is released\n')
    const created = await said('token', 'create', 'reader', '--name', 'looks')
    expect(created).toMatch(/^Created token looks \(reader, \w{8}\)\ncairn_tok_\S+\nIt cannot be shown again\.\n$/)
    const end = created.slice(created.indexOf(')') - 8, created.indexOf(')'))
    expect(await said('token', 'rotate', 'looks')).toMatch(/^New secret for token looks .*\ncairn_tok_/)
    expect(await said('token', 'revoke', end)).toBe(`Revoked token ${end}\n`)
    expect(await said('compact', root)).toMatch(/^Nothing to compact in \w{8}: no history is old enough\.\n$/)
    expect(await said('gc')).toMatch(
      /^Removed 0 old request ids, 0 broken uploads and 0 hidden messages; recorded \d+ expired keys?\n$/,
    )
    const shown = await said('show', root)
    expect(shown).toMatch(new RegExp(`^topic +Said\\nstatus +running\\nid +${root}\\nslug `))
    expect(shown).not.toMatch(/_id|_at\b/)
    expect(await said('tree', root)).toMatch(/^Said {2}running {2}\w{8} {2}updated (now|\d+s ago)\n$/)
  })

  it('a batch shows each operation that was refused, and tells its own doing from that of others', async () => {
    const on = ['--session', await cairn.session('Batched')]
    await cairn.answer(['state', 'set', 'a', '1', ...on])
    const operations = [
      { op: 'set', key: 'a', value: 2, if_match: 7 },
      { op: 'set', key: 'b', value: 1 },
      { op: 'set', key: 'c', value: 2, if_match: 3 },
      { op: 'set', key: 'b', value: 2, create_only: true },
    ]
    const { err } = await cairn.run(['state', 'batch', JSON.stringify(operations), ...on])
    expect(err).toContain('error: The key "a" is at version 1, not 7.\n')
    expect(err).toContain('This is operation 1 of the batch; nothing was applied.\n')
    expect(err).toContain('operation 3: The key "c" does not exist; it was expected at version 3.\n')
    expect(err).toContain('operation 4: The key "b" is changed by operation 2 of this batch, so it already exists.\n')
  })

  it('hints name what will work next', async () => {
    const on = ['--session', await cairn.session('Hinted')]
    const hint = async (...line: string[]) => (await cairn.json([...line, ...on])).document.hint
    expect(await hint('state', 'append', 'k', "it's")).toBe(`For this one item, write '["it'\\''s"]'.`)
    expect(await hint('state', 'append', 'k', '5')).toBe("For this one item, write '[5]'.")
    expect(await hint('state', 'set', 'k', '01')).toContain('--text takes it as text.')
    for (const line of [
      ['state', 'get', '--at-time', 'yesterday'],
      ['state', 'restore', 'tuesday'],
    ])
      expect(await hint(...line)).toContain('10m (ago) or 11:30')
    await cairn.answer(['state', 'claim', 'k', '--ttl', '1m', ...on])
    expect(await hint('state', 'claim', 'k', '--ttl', '1m')).toContain('`--reclaim`')
    expect((await cairn.json(['show', 'nobody'])).document.hint).toMatch(
      /^List sessions with `cairn session ls --all`, or create one/,
    )
    for (const line of [
      ['delete', 'gone'],
      ['delete', 'gone', '--version', '3'],
    ])
      expect(await hint('state', ...line)).toMatch(/^There is nothing to delete\./)
    expect(await cairn.json(['token', 'create', 'raeder'])).toMatchObject({
      exit: 4,
      document: {
        message: 'KIND must be one of agent, reader, not "raeder".',
        hint: expect.stringMatching(/^Did you mean reader\? Usage: cairn token create/),
      },
    })
    expect(await hint('state', 'set', '', '1')).toBe('Name the key with 1 to 256 bytes of text.')
  })

  it('a file that is not there is the same for every command', async () => {
    const on = ['--session', await cairn.session('Files')]
    for (const line of [
      ['blob', 'put', 'no-file'],
      ['state', 'set', 'k', '@no-file'],
    ])
      expect(await cairn.json([...line, ...on])).toMatchObject({ exit: 3, document: { error: 'not_found' } })
    expect((await cairn.run(['blob', '--help'])).out).toContain('cairn blob put|get|ls [ARG]')
  })

  it('the undo of a restore names the session that was named', async () => {
    const root = await cairn.session('Undone')
    for (const value of ['1', '2']) await cairn.answer(['state', 'set', 'a', value, '--session', root])
    const { out } = await cairn.run(['state', 'restore', '2', '--session', root])
    const [, undo = ''] = /undo: cairn (.*)\n$/.exec(out) ?? []
    await cairn.answer(undo.split(' '))
    expect(await cairn.answer(['state', 'get', 'a', '--session', root])).toMatchObject({ value: 2 })
  })

  it('leases say whether they are held and until when, in words', async () => {
    const root = await cairn.session('Held')
    const on = ['--session', root]
    const { token } = await cairn.answer(['lease', 'claim', 'done', '--ttl', '90', ...on])
    await cairn.answer(['lease', 'release', 'done', token, ...on])
    await cairn.answer(['lease', 'claim', 'build', '--ttl', '1h', ...on])
    const { out } = await cairn.run(['lease', 'ls', ...on])
    expect(out).toMatch(/^NAME +HOLDER +HELD +UNTIL +EPOCH\n/)
    expect(out).toMatch(/^build .* yes +in \d+ min \(\d{4}-.*Z\) +1$/m)
    expect(out).toMatch(/^done .* no +released +1$/m)
    const { err } = await cairn.run(['lease', 'claim', 'build', '--ttl', '1h', ...on])
    expect(err).toMatch(/ for \d+ min more\.\n/)
    const fence = await cairn.run(['state', 'set', 'a', '1', '--fence', 'nonsense', ...on])
    expect(fence.err).toMatch(/^error: The fence must name a lease and the token of its claim: NAME:TOKEN\.\n/)
  })

  it('tokens show what they are for, and that they have expired', async () => {
    const root = await cairn.session('Tokens')
    const { token } = await cairn.answer(['lease', 'claim', 'build', '--ttl', '1h', '--session', root])
    const agent = ['token', 'create', 'agent', '--session', root]
    await cairn.answer([...agent, '--name', 'long', '--run', 'run-1', '--lease', `build:${token}`])
    await cairn.answer([...agent, '--name', 'short', '--ttl', '1ms'])
    const { out } = await cairn.run(['token', 'ls'])
    expect(out).toMatch(/^ID +KIND +NAME +SESSION +RUN +LEASE +SECRET FROM +EXPIRES\n/)
    expect(out).toMatch(/long .* run-1 +build \(epoch 1\) .* never$/m)
    expect(out).toMatch(/short .* expired$/m)
  })

  it('what stays elsewhere is a list, and ls shows the last activity', async () => {
    const root = await cairn.session('Gone')
    await cairn.answer(['state', 'set', 'a', '1', '--session', root])
    const { sessions } = await cairn.answer(['ls'])
    const { events } = await cairn.answer(['log', '--session', root])
    const listed = sessions.find((each: { session_id: string }) => each.session_id === root)
    expect(listed.last_event_at).toBe(events.at(-1).at)
    const { slug } = await cairn.answer(['show', root])
    const { out } = await cairn.run(['rm', root, '--force', '--confirm', slug])
    expect(out).toMatch(/^Removed \w{8} with 2 events\n.*:\n {2}- backups\n/)
  })
})

describe('on a terminal', () => {
  const canPretend = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

  function typed(line: string, input = ''): string {
    const env = { PATH: process.env.PATH ?? '', CAIRN_HOME: cairn.home, TERM: 'dumb' }
    const command = `stty cols 60; ${process.execPath} ${resolve('bin/cairn')} ${line}`
    return spawnSync('script', ['-qec', command, '/dev/null'], { cwd: cairn.project, env, input, encoding: 'utf8' })
      .stdout
  }

  it.skipIf(!canPretend)('lines break at words, but for examples (needs script of util-linux)', () => {
    for (const line of ['help state set', 'state get missing --session nobody', '']) {
      const widths = typed(line)
        .split('\r\n')
        .filter((each) => !/^ {2}cairn \S+ \S+ \S+ /.test(each))
        .map((each) => each.length)
      expect(Math.max(...widths)).toBeLessThanOrEqual(60)
    }
  })

  it.skipIf(!canPretend)('session end asks which one is meant (needs script of util-linux)', async () => {
    const root = await cairn.session('Only one')
    await cairn.answer(['use', root])
    expect(typed('session end', '\n')).toContain('nothing was ended')
    expect(typed('session end', '1\n')).toMatch(/is completed/)
    expect((await cairn.answer(['show', root])).status).toBe('completed')
  })
})
