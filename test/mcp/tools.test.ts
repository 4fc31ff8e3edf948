// The tools, as a model calls them, on both stores.
import { describe, expect, it, onTestFinished } from 'vitest'
import { newChild, newRoot } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'
import { agentOf, talkWith } from './talking.ts'

for (const kind of STORES) {
  describe(`tools on ${kind.name}`, () => {
    const store = sharedStore(kind)
    const newTalk = async (
      ...options: Parameters<typeof talkWith> extends [unknown, unknown, ...infer Rest] ? Rest : never
    ) => {
      const { cairn, session } = await newRoot(store())
      const talk = await talkWith(store(), session, ...options)
      onTestFinished(() => talk.close())
      return { cairn, session, talk }
    }

    it('S0-117 state_get shows one key with version and author, or everything once', async () => {
      const { session, talk } = await newTalk()
      expect((await talk.call('state_get')).document).toMatchObject({ error: 'state_not_found' })
      await talk.call('state_set', { key: 'progress', value: '50' })
      await talk.call('state_set', { key: 'phase', value: '"build"' })
      const { document } = await talk.call('state_get', { key: 'progress' })
      expect(document).toMatchObject({ value: 50, version: 1, updated_by: session })
      const { document: whole } = await talk.call('state_get')
      expect(whole.state).toEqual({ progress: 50, phase: 'build' })
      expect(whole.keys.progress).toEqual({ version: 1, updated_by: session, updated_at: expect.any(String) })
      expect((await talk.call('state_get', { prefix: 'ph' })).document.state).toEqual({ phase: 'build' })
    })

    it('S0-118 state_set with a version writes only if nobody was faster, and tells the current value', async () => {
      const { talk } = await newTalk()
      expect((await talk.call('state_set', { key: 'a', value: '1', version: 0 })).document).toMatchObject({
        version: 1,
      })
      expect((await talk.call('state_set', { key: 'a', value: '2', version: 1 })).document).toMatchObject({
        version: 2,
      })
      const lost = await talk.call('state_set', { key: 'a', value: '3', version: 1 })
      expect(lost).toMatchObject({
        isError: true,
        document: { error: 'version_conflict', current_version: 2, your_version: 1, current_value: 2 },
      })
      expect((await talk.call('state_get', { key: 'a' })).document.value).toBe(2)
    })

    it('S0-119 state_delete deletes, with a version only that one', async () => {
      const { talk } = await newTalk()
      await talk.call('state_set', { key: 'a', value: '1' })
      expect((await talk.call('state_delete', { key: 'a', version: 7 })).document.error).toBe('version_conflict')
      expect((await talk.call('state_delete', { key: 'a', version: 1 })).document).toMatchObject({ deleted: true })
      const gone = await talk.call('state_get', { key: 'a' })
      expect(gone.document).toMatchObject({ error: 'key_not_found', hint: expect.stringContaining('state_set') })
    })

    it('S0-120 state_increment makes the key, adds 1 or what is given, and answers the new value', async () => {
      const { talk } = await newTalk()
      expect((await talk.call('state_increment', { key: 'n' })).document).toMatchObject({ value: 1, version: 1 })
      expect((await talk.call('state_increment', { key: 'n', delta: -5 })).document).toMatchObject({ value: -4 })
      await talk.call('state_set', { key: 't', value: '"text"' })
      expect((await talk.call('state_increment', { key: 't' })).document.error).toBe('wrong_type')
    })

    it('S0-121 state_append makes the list, adds to it, and answers its length', async () => {
      const { talk } = await newTalk()
      expect((await talk.call('state_append', { key: 'l', items: '["a"]' })).document).toMatchObject({ length: 1 })
      expect((await talk.call('state_append', { key: 'l', items: ['b', 2] })).document).toMatchObject({ length: 3 })
      const { document } = await talk.call('state_append', { key: 'l', items: '"b"' })
      expect(document).toMatchObject({ error: 'invalid_input', path: 'items' })
    })

    it('S0-122 C35 state_patch merges into the document', async () => {
      const { talk } = await newTalk()
      await talk.call('state_set', { key: 'old', value: '1' })
      const patch = '{"old": null, "n": {"$increment": 2}, "config": {"a": {"b": 1}}}'
      expect((await talk.call('state_patch', { patch })).document.keys.old).toMatchObject({ deleted: true })
      await talk.call('state_patch', { patch: { config: { a: { c: 2 } } } })
      expect((await talk.call('state_get')).document.state).toEqual({ n: 2, config: { a: { b: 1, c: 2 } } })
    })

    it('state_batch does all or nothing', async () => {
      const { talk } = await newTalk()
      const operations = [
        { op: 'set', key: 'name', value: 'plain text' },
        { op: 'increment', key: 'n', delta: 2 },
      ]
      expect((await talk.call('state_batch', { operations })).document).toMatchObject({ applied: true })
      const more = JSON.stringify([
        { op: 'increment', key: 'n' },
        { op: 'set', key: 'name', value: 1, if_match: 9 },
      ])
      const lost = await talk.call('state_batch', { operations: more })
      expect(lost).toMatchObject({ isError: true, document: { error: 'version_conflict', index: 1, applied: false } })
      expect((await talk.call('state_get')).document.state).toEqual({ name: 'plain text', n: 2 })
    })

    it('values come as JSON text, as JSON or as plain text; what begins like JSON and breaks is refused with the place', async () => {
      const { talk } = await newTalk()
      const given: [unknown, unknown][] = [
        ['"text"', 'text'],
        ['5', 5],
        ['null', null],
        [null, null],
        [5, 5],
        [{ a: ['b'] }, { a: ['b'] }],
        ['"5"', '5'],
        ['hello world', 'hello world'],
        ['2026-11-16', '2026-11-16'],
      ]
      for (const [value, kept] of given) {
        expect((await talk.call('state_set', { key: 'k', value })).document.value).toEqual(kept)
      }
      const broken: [string, number][] = [
        ['{"a": 1,}', 9],
        ['[1, 2', 6],
        ['01', 2],
      ]
      for (const [value, column] of broken) {
        const { isError, document } = await talk.call('state_set', { key: 'k', value })
        expect(isError).toBe(true)
        expect(document).toMatchObject({ error: 'invalid_input', path: 'value', line: 1, column })
        expect(document.hint).toContain(String.raw`{"value": "\"text\""}`)
      }
      const patch = await talk.call('state_patch', { patch: 'hello' })
      expect(patch.document).toMatchObject({ error: 'invalid_input', path: 'patch' })
      const small = await talk.call('state_set', { key: 'k', value: '1e-400' })
      expect(small.document).toMatchObject({ error: 'number_out_of_range' })
      const evil = await talk.call('state_set', { key: 'k', value: '{"__proto__": {"x": 1}}' })
      expect(evil.document.error).toBe('invalid_input')
      expect((await talk.call('state_get', { key: 'k' })).document.version).toBe(given.length)
    })

    it('U3 what looks like a secret is written where allow_secret says that it is none, as the hint has it', async () => {
      const { talk, session } = await newTalk({ profile: 'orchestrator' })
      const secret = `${'ghp'}_abcdefghijklmnopqrstuvwxyz0123456789`
      const value = JSON.stringify(secret)
      const calls: [string, object][] = [
        ['state_set', { key: 'k', value }],
        ['state_set', { key: secret, value: '1' }],
        ['state_append', { key: 'l', items: `[${value}]` }],
        ['state_increment', { key: `n/${secret}` }],
        ['state_patch', { patch: `{"p": ${value}}` }],
        ['state_batch', { operations: [{ op: 'set', key: 'b', value: secret }] }],
        ['state_claim', { key: `c/${secret}` }],
        ['session_create', { topic: secret, parent: session }],
      ]
      for (const [tool, given] of calls) {
        const told = await talk.call(tool, given)
        expect(told.document, tool).toMatchObject({ error: 'looks_like_secret' })
        expect(told.document.hint).toContain('allow_secret: true')
        const meant = await talk.call(tool, { ...given, allow_secret: true })
        expect(meant.isError, JSON.stringify(meant)).toBeFalsy()
      }
      const read = await talk.call('state_get', { allow_secret: true })
      expect(read.document).toMatchObject({ error: 'invalid_input', path: 'allow_secret' })
    })

    it('U53 the hint of a change that a value does not take is the call that makes room for it', async () => {
      const { talk } = await newTalk({ profile: 'orchestrator' })
      const calls: [tool: string, given: object][] = [
        ['state_increment', { key: 'k' }],
        ['state_append', { key: 'k', items: '[1]' }],
      ]
      for (const [tool, given] of calls) {
        await talk.call('state_set', { key: 'k', value: '"text"' })
        const { document } = await talk.call(tool, given)
        expect(document).toMatchObject({ error: 'wrong_type', type: 'string' })
        const replacing = JSON.parse(/state_set (\{.*\})\.$/.exec(document.hint)?.[1] ?? 'null')
        expect((await talk.call('state_set', replacing)).isError, document.hint).toBeFalsy()
        expect((await talk.call(tool, given)).isError, tool).toBeFalsy()
      }
    })

    it('arguments that are missing, of the wrong type or not known are told by name', async () => {
      const { talk } = await newTalk()
      const refusals: [string, object, string][] = [
        ['state_set', { key: 'a' }, 'value'],
        ['state_set', { key: 7, value: '1' }, 'key'],
        ['state_set', { key: 'a', value: '1', version: 'two' }, 'version'],
        ['state_set', { key: 'a', value: '1', versoin: 2 }, 'versoin'],
        ['state_increment', { key: 'a', delta: 'much' }, 'delta'],
        ['state_claim', { key: 'a', action: 'steal' }, 'action'],
        ['state_claim', { key: 'a', action: 'release' }, 'token'],
        ['state_wait', {}, 'key'],
      ]
      for (const [name, args, path] of refusals) {
        const { isError, document } = await talk.call(name, args)
        expect([isError, document.error, document.path], name).toEqual([true, 'invalid_input', path])
        expect(document.hint).toMatch(/\S/)
      }
      expect((await talk.call('state_increment', { key: 'a', delta: null, session_id: null })).document.value).toBe(1)
    })

    it('state_history lists what a key was and who changed it', async () => {
      const { session, talk } = await newTalk()
      for (const value of ['1', '2', '3']) await talk.call('state_set', { key: 'a', value })
      const { document } = await talk.call('state_history', { key: 'a', limit: 2 })
      expect(document.versions.map((each: { value: number }) => each.value)).toEqual([3, 2])
      expect(document).toMatchObject({ has_more: true, versions: [{ updated_by: session }, {}] })
    })

    it('state_claim lets one work on a key, and a fence keeps a late one from writing', async () => {
      const { cairn, session, talk } = await newTalk()
      const other = await talkWith(store(), await newChild(cairn, session))
      const { document: claimed } = await talk.call('state_claim', { key: 'task' })
      expect(claimed).toMatchObject({ key: 'task', token: expect.stringMatching(/^1\.[0-9a-f]{32}$/) })
      expect((await other.call('state_claim', { key: 'task' })).document.error).toBe('held_by_other')
      const beat = await talk.call('state_claim', { key: 'task', action: 'heartbeat', token: claimed.token })
      expect(beat.isError).toBe(false)
      const fence = `key/task:${claimed.token}`
      expect((await talk.call('state_set', { key: 'task', value: '1', fence })).isError).toBe(false)
      await talk.call('state_claim', { key: 'task', action: 'release', token: claimed.token })
      expect((await other.call('state_claim', { key: 'task', ttl: '1m' })).document.token).toMatch(/^2\./)
      expect((await talk.call('state_set', { key: 'task', value: '2', fence })).document.error).toBe('fenced')
    })

    it('session_status says who one is, where, and what is there', async () => {
      const { cairn, session, talk } = await newTalk()
      const child = await newChild(cairn, session, 'fix')
      await talk.call('state_set', { key: 'a', value: '1' })
      const { document } = await (await talkWith(store(), child)).call('session_status')
      expect(document).toMatchObject({
        session_id: child,
        session_name: 'fix',
        root_session_id: session,
        parent_session_id: session,
        depth: 1,
        status: 'running',
        state_summary: { a: 1 },
      })
      expect((await talk.call('session_status')).document.children).toEqual([child])
    })

    it('C27 S0-26 session_id names another session, within the reach of the caller only', async () => {
      const { cairn, session } = await newTalk()
      const stranger = await store().createRoot()
      const child = await newChild(cairn, session, 'child')
      const agent = await talkWith(store(), child, { caller: await agentOf(store(), child) })
      const { document } = await agent.call('state_set', { key: 'a', value: '1', session_id: session })
      expect(document.updated_by).toBe(child)
      for (const name of ['state_get', 'session_status']) {
        const { isError, document } = await agent.call(name, { session_id: stranger })
        expect([isError, document.error]).toEqual([true, 'forbidden'])
      }
      const owner = await talkWith(store(), stranger)
      expect((await owner.call('state_get', { key: 'a', session_id: child })).document.value).toBe(1)
    })

    it('no session, an unknown one and one that has ended are told in words a model can act on', async () => {
      const { cairn, session, talk } = await newTalk()
      const nobody = await talkWith(store(), undefined)
      const { document: none } = await nobody.call('state_get')
      expect(none).toMatchObject({ error: 'no_session', hint: expect.stringContaining('session_id') })
      const { document: unknown } = await nobody.call('state_get', { session_id: 'nothing-like-it' })
      expect(unknown).toMatchObject({ error: 'session_not_found', hint: expect.stringContaining('session_id') })
      const child = await newChild(cairn, session)
      await cairn.session.end({ session: child })
      const late = await (await talkWith(store(), child)).call('state_increment', { key: 'n' })
      expect(late).toMatchObject({ isError: true, document: { error: 'session_ended' } })
      expect((await talk.call('state_increment', { key: 'n' })).document.value).toBe(1)
    })

    it('a state_wait holds nobody up, tells that it waits, and ends when the client cancels it', async () => {
      const { talk } = await newTalk()
      const params = { name: 'state_wait', arguments: { key: 'done', equals: 'true', timeout: '1h' } }
      const waiting = talk.ask('tools/call', { ...params, _meta: { progressToken: 7 } }, 'first')
      const cancelled = talk.ask('tools/call', { ...params, arguments: { key: 'never', timeout: '1h' } }, 'second')
      expect((await talk.call('state_increment', { key: 'n' })).document.value).toBe(1)
      expect(talk.heard).toMatchObject([
        { method: 'notifications/progress', params: { progressToken: 7, progress: expect.any(Number) } },
      ])
      await talk.tell('notifications/cancelled', { requestId: 'second' })
      expect(await cancelled).toBeUndefined()
      await talk.call('state_set', { key: 'done', value: 'true' })
      expect((await waiting).result.structuredContent).toMatchObject({ key: 'done', value: true })
      const late = await talk.call('state_wait', { key: 'n', condition: 'value > 5', timeout: '10ms' })
      expect(late.document).toMatchObject({ error: 'timeout', current_value: 1 })
    })

    it('the profile orchestrator directs sessions and looks into the past', async () => {
      const { session, talk } = await newTalk({ profile: 'orchestrator' })
      const { document: child } = await talk.call('session_create', { topic: 'a part', parent: session, name: 'part' })
      expect(child).toMatchObject({ root_session_id: session, session_name: 'part' })
      const initial_state = '{"n": 1}'
      const { document: root } = await talk.call('session_create', { topic: 'other', initial_state })
      expect((await talk.call('state_get', { session_id: root.session_id })).document.state).toEqual({ n: 1 })
      await talk.call('state_set', { key: 'a', value: '1' })
      const { document: then } = await talk.call('state_set', { key: 'a', value: '2' })
      expect((await talk.call('state_diff', { from: String(then.seq - 1), to: 'now' })).document.changes).toHaveLength(
        1,
      )
      expect((await talk.call('state_restore', { to: then.seq - 1, keys: ['a'] })).document.changed).toBeTruthy()
      expect((await talk.call('state_why', { key: 'a' })).isError).toBe(false)
      expect((await talk.call('state_summary')).document.summary).toEqual({ a: 1 })
      expect((await talk.call('log_list', { since: then.seq })).document.events).toHaveLength(1)
      expect((await talk.call('session_tree')).document.children).toMatchObject([{ session_name: 'part' }])
      expect((await talk.call('session_list', { limit: 1 })).document.sessions).toHaveLength(1)
      const { document: ended } = await talk.call('session_end', { session_id: 'part', status: 'failed', reason: 'x' })
      expect(ended.status).toBe('failed')
    })

    it('answers have values beside their text, in the revisions that know them', async () => {
      const { talk } = await newTalk({ revision: '2025-06-18' })
      const params = { name: 'state_set', arguments: { key: 'a', value: '{"b": 1}' } }
      const { result } = await talk.ask('tools/call', params)
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
      const { talk: old } = await newTalk({ revision: '2024-11-05' })
      expect((await old.ask('tools/call', params)).result).not.toHaveProperty('structuredContent')
    })
  })
}
