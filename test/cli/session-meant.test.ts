import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Sandbox, sandbox } from './sandbox.ts'

const cairn = sandbox()

async function meant(args: string[] = [], env: Record<string, string> = {}): Promise<string> {
  return (await cairn.answer(['show', ...args], { env })).session_id
}

describe('U4 the session meant', () => {
  it('is refused with no_session where there is none', async () => {
    const { document, exit } = await cairn.json(['state', 'get'])
    expect(document).toMatchObject({ error: 'no_session', candidates: [], hint: expect.stringContaining('--session') })
    expect(exit).toBe(4)
  })

  describe('with sessions', () => {
    let first = ''
    let second = ''

    beforeAll(async () => {
      first = await cairn.session('First')
    })

    it('is the only unfinished root of the project, also from a folder below it', async () => {
      const below = join(cairn.project, 'src', 'deep')
      mkdirSync(below, { recursive: true })
      expect(await meant()).toBe(first)
      expect((await cairn.answer(['show'], { cwd: below })).session_id).toBe(first)
      const { document } = await cairn.json(['show'], { cwd: cairn.folder })
      expect(document.error).toBe('no_session')
    })

    it('is refused with ambiguous_id and the candidates where there are several', async () => {
      second = await cairn.session('Second')
      const { document, exit, err } = await cairn.json(['state', 'get'])
      expect([document.error, exit]).toEqual(['ambiguous_id', 4])
      const ids = document.candidates.map((each: { session_id: string }) => each.session_id)
      expect(ids.sort()).toEqual([first, second].sort())
      expect(err).toMatch(/^error: /)
      const people = await cairn.run(['state', 'get'])
      expect(people.err).toContain(first.slice(-8))
      expect(people.err).toContain('cairn use')
    })

    it('is another one that is open, alone, where the one of `use` has ended', async () => {
      const place = new Sandbox()
      onTestFinished(() => place.remove())
      const ended = await place.session('Ended')
      await place.answer(['use', ended])
      await place.answer(['session', 'end', ended])
      const said = async () => (await place.answer(['show'])).session_id
      expect(await said()).toBe(ended)
      const next = await place.session('Next')
      expect(await said()).toBe(next)
      await place.answer(['state', 'set', 'k', 'v'])
    })

    it('is the one of `use`, then of AGENT_SESSION_ID, then of --session', async () => {
      const third = await cairn.session('Third', '--parent', first, '--name', 'third')
      const used = await cairn.answer(['use', second.slice(-8)])
      expect(used).toMatchObject({ session_id: second, project_dir: cairn.project })
      expect(await meant()).toBe(second)
      expect(await meant([], { AGENT_SESSION_ID: first })).toBe(first)
      expect(await meant([], { AGENT_SESSION_ID: '' })).toBe(second)
      expect(await meant(['--session', 'third'], { AGENT_SESSION_ID: first })).toBe(third)
      expect(await meant(['THIRD'], { AGENT_SESSION_ID: first })).toBe(third)
    })

    it('C6 S0-15 is found by its id, at any depth below its root, whatever names are set beside it', async () => {
      const fourth = await cairn.session('Fourth', '--parent', 'third')
      const names = { AGENT_SESSION_NAME: 'third', AGENT_ROOT_SESSION_NAME: second }
      const env = { AGENT_SESSION_ID: fourth, AGENT_ROOT_SESSION_ID: first, ...names }
      expect(await cairn.answer(['state', 'set', 'k', '1'], { env })).toMatchObject({ updated_by: fourth })
      expect(await cairn.answer(['state', 'get'], { env })).toMatchObject({ root_session_id: first, state: { k: 1 } })
      expect(await cairn.answer(['state', 'get', 'k', '--session', first])).toMatchObject({ value: 1 })
    })

    it('S0-21 S0-22 S0-23 is the one that a process is told of by any of its variables', async () => {
      expect(await meant([], { AGENT_ROOT_SESSION_ID: first })).toBe(first)
      expect(await meant([], { AGENT_ROOT_SESSION_ID: first, AGENT_SESSION_NAME: 'third' })).toBe(
        await meant(['third']),
      )
      expect(await meant([], { AGENT_ROOT_SESSION_NAME: second })).toBe(second)
    })

    it('S0-22 S0-26 is the one of that name within the root that a process is told of, however many roots have one', async () => {
      const roots = [first, second]
      const named: string[] = []
      for (const root of roots) named.push(await cairn.session('Again', '--parent', root, '--name', 'again'))
      const env = (at: number) => ({ AGENT_ROOT_SESSION_ID: roots[at] as string, AGENT_SESSION_NAME: 'again' })
      expect([await meant([], env(0)), await meant([], env(1))]).toEqual(named)
      const { document } = await cairn.json(['show'], { env: { AGENT_SESSION_NAME: 'again' } })
      expect(document.error).toBe('ambiguous_id')
    })

    it('C6 S0-22 is never one of another root while a root is named, by name or by id', async () => {
      const kid = await cairn.session('Kid', '--parent', second, '--name', 'kid')
      const env = { AGENT_ROOT_SESSION_ID: first, AGENT_SESSION_NAME: 'kid' }
      const set = await cairn.json(['state', 'set', 'x', '1'], { env })
      expect([set.document.error, set.exit]).toEqual(['session_not_found', 3])
      expect(set.document.hint).toContain('AGENT_ROOT_SESSION_ID')
      for (const named of [kid, kid.slice(-8), second]) {
        const { document } = await cairn.json(['state', 'set', 'x', '1', '--session', named], { env })
        expect(document.error, named).toBe('session_not_found')
      }
      const none = await cairn.json(['state', 'set', 'x', '1'], { env: { AGENT_ROOT_SESSION_ID: 'sess_nobody' } })
      expect([none.document.error, none.exit]).toEqual(['session_not_found', 3])
      expect(none.document.hint).toContain('AGENT_ROOT_SESSION_ID')
      const { document } = await cairn.json(['state', 'get', 'x', '--session', second])
      expect(document.error).not.toBe(undefined)
      await cairn.answer(['session', 'end', kid])
    })

    it('S0-22 says of a name that nobody has where it is set, what is near to it, and what to do', async () => {
      const { document, exit } = await cairn.json(['state', 'get'], { env: { AGENT_SESSION_NAME: 'thrid' } })
      expect([document.error, exit]).toEqual(['session_not_found', 3])
      expect(document.hint).toContain('AGENT_SESSION_NAME')
      expect(document.hint).toContain('Did you mean "third"?')
      expect(document.hint).toContain('cairn session create')
      expect(document.candidates).toMatchObject([{ session_name: 'third' }])
      const named = await cairn.json(['show', 'thrid'])
      expect(named.document.hint).toMatch(/^Did you mean "third"\?/)
    })

    it('is refused by name when it does not exist or fits several', async () => {
      const unknown = await cairn.json(['show', 'nobody'])
      expect([unknown.document.error, unknown.exit]).toEqual(['session_not_found', 3])
      const several = await cairn.json(['show', 'sess_'])
      expect([several.document.error, several.exit]).toEqual(['ambiguous_id', 4])
      expect(several.document.candidates).toHaveLength(7)
    })
  })
})

it('work belongs to the directory it is started in, or to that of --project', async () => {
  const other = join(cairn.folder, 'other')
  mkdirSync(join(other, 'agents'), { recursive: true })
  const cwd = join(other, 'agents')
  const made = await cairn.answer(['session', 'create', '--topic', 'Other'], { cwd })
  const named = await cairn.answer(['session', 'create', '--topic', 'Named', '--project', '../other'])
  const { sessions } = await cairn.answer(['ls', '--project', '.'], { cwd: other })
  const ids = sessions.map((each: { session_id: string }) => each.session_id)
  expect(ids).toEqual([named.session_id, made.session_id])
  expect(sessions[0].project_dir).toBe(other)
})
