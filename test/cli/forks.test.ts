import { describe, expect, it } from 'vitest'
import { sandbox as makeSandbox } from './sandbox.ts'

describe('forks on the command line', () => {
  const sandbox = makeSandbox()

  it('U37 cairn fork makes one, show says where it came from, and tree --forks shows all of them', async () => {
    const session = await sandbox.session('Parser')
    for (const key of ['a', 'b', 'c']) await sandbox.run(['state', 'set', key, '1', '--session', session])
    const fork = await sandbox.answer(['fork', session, '--at', '3'])
    expect(fork).toEqual({
      session_id: expect.any(String),
      root_session_id: fork.session_id,
      origin_session_id: session,
      at: 3,
      status: 'running',
    })
    const second = await sandbox.answer(['fork', '--session', fork.session_id])
    expect((await sandbox.answer(['state', 'get', '--session', second.session_id])).state).toEqual({ a: 1, b: 1 })
    const { out, exit } = await sandbox.run(['fork', session.slice(-8), '--at', '2'])
    expect([out, exit]).toEqual([
      expect.stringMatching(/^Forked \w{8} after event 2\nsess_\w{32}\n.*cairn use \w{8}\n$/),
      0,
    ])
    const shown = await sandbox.run(['show', second.session_id])
    expect(shown.out).toContain(`forked from  ${fork.session_id}, after event 3\n`)
    const tree = await sandbox.run(['tree', session, '--forks'])
    const short = (id: string) => id.slice(-8)
    expect(tree.out.split('\n').map((line) => line.replace(/ {2}updated (?:\S+ ago|now)$/, ''))).toEqual([
      `Parser  running  ${short(session)}`,
      'Forks',
      expect.stringMatching(/^├─ Parser {2}running {2}at 2 {2}\w{8}$/),
      `└─ Parser  running  at 3  ${short(fork.session_id)}`,
      `   └─ Parser  running  at 3  ${short(second.session_id)}`,
      '',
    ])
    const { slug } = await sandbox.answer(['show', fork.session_id])
    await sandbox.answer(['rm', fork.session_id, '--force', '--confirm', slug])
    expect((await sandbox.run(['tree', session, '--forks'])).out).toContain('└─ –  removed  at 3  –')
    expect((await sandbox.run(['show', second.session_id])).out).toContain('a root that was removed, after event 3')
    const none = await sandbox.run(['tree', second.session_id, '--forks'])
    expect(none.out).toMatch(/^Forked from a root that was removed, after event 3$/m)
    expect(none.out).toMatch(/^No forks\. Create one with cairn fork ID --at N\.$/m)
  })

  it('a point at which there is nothing to fork is refused, with those at which there is', async () => {
    const session = await sandbox.session('Lexer')
    for (const at of ['0', '2', '99']) {
      const { document, exit } = await sandbox.json(['fork', session, '--at', at])
      expect(document).toMatchObject({
        error: 'bad_cut',
        at: Number(at),
        first: 1,
        last: 1,
        hint: 'Fork at 1.',
      })
      expect(exit).toBe(4)
    }
    expect((await sandbox.json(['fork', session, '--at', 'x'])).document).toMatchObject({ error: 'usage' })
    expect((await sandbox.json(['fork', 'nobody'])).document).toMatchObject({ error: 'session_not_found' })
    expect((await sandbox.json(['fork', session, 'more'])).document).toMatchObject({ error: 'usage' })
  })

  it('leaves names and the session meant as they were, and is told from its origin in lists', async () => {
    const sandboxed = await sandbox.session('Night', '--name', 'night')
    const child = await sandbox.session('Child', '--parent', sandboxed, '--name', 'lexer')
    await sandbox.answer(['use', sandboxed])
    const { session_id: fork } = await sandbox.answer(['fork', sandboxed])
    expect((await sandbox.answer(['show', 'lexer'])).session_id).toBe(child)
    const listed = (await sandbox.run(['ls'])).out
    expect(listed).toContain(`(fork of ${sandboxed.slice(-8)} at 2)`)
    await sandbox.answer(['use', fork])
    expect((await sandbox.answer(['show', 'lexer'])).root_session_id).toBe(fork)
    expect((await sandbox.answer(['show', 'night'])).session_id).toBe(fork)
  })
})
