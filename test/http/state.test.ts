import { describe, expect, it } from 'vitest'
import { STORES, sharedStore } from '../setup/stores.ts'
import { type Served, serveStore } from './served.ts'

for (const kind of STORES) {
  describe(`shared state over HTTP on ${kind.name}`, () => {
    const store = sharedStore(kind)

    async function root(initial?: object): Promise<{ served: Served; state: string; id: string; child: string }> {
      const served = await serveStore(store())
      const made = await served.ask('POST', '/sessions', { body: { topic: 'a test' } })
      expect(made.status).toBe(201)
      const id = String(made.body.session_id)
      const child = await served.ask('POST', '/sessions', { body: { topic: 'a child', parent_session_id: id } })
      const state = `/sessions/${id}/state`
      if (initial) await served.ask('POST', state, { body: { initial_state: initial } })
      return { served, state, id, child: String(child.body.session_id) }
    }

    it('S0-30 S0-31 C11 the state is started once, and is not there before', async () => {
      const { served, state, id } = await root()
      expect((await served.ask('GET', state)).body).toMatchObject({ error: 'state_not_found' })
      const made = await served.ask('POST', state, { body: { initial_state: { a: 1 } } })
      expect(made.status).toBe(201)
      expect(made.headers.etag).toBe('"1"')
      expect(made.body).toMatchObject({ root_session_id: id, state: { a: 1 }, version: 1 })
      expect(made.body.created_at).toMatch(/^\d{4}-.*Z$/)
      const again = await served.ask('POST', state, { body: {} })
      expect([again.status, again.body.error, again.body.current_version]).toEqual([409, 'already_exists', 1])
    })

    it('S0-6 S0-32 S0-56 S0-97 S0-27 C13 one read answers in all three shapes, for any session of the root', async () => {
      const { served, id, child } = await root({ done: 0 })
      await served.ask('PUT', `/sessions/${child}/state/keys/done`, {
        body: { value: 1 },
        headers: { 'if-match': '"1"' },
      })
      const read = await served.ask('GET', `/sessions/${child}/state`)
      expect(read.headers.etag).toBe('"2"')
      expect(read.body).toMatchObject({
        root_session_id: id,
        state: { done: 1 },
        version: 2,
        keys: { done: { value: 1, version: 2, updated_by: child } },
        global_version: 2,
        last_sequence: 2,
      })
      expect(read.body.updated_at).toBe(read.body.materialized_at)
    })

    it('S0-33 U14 a version that is known is not sent again', async () => {
      const { served, state } = await root({ a: 1 })
      for (const known of ['"1"', '1', 'W/"1"', '"global_version_1"', '"7", "1"', '*']) {
        const read = await served.ask('GET', state, { headers: { 'if-none-match': known } })
        expect([known, read.status, read.text, read.headers.etag]).toEqual([known, 304, '', '"1"'])
      }
      expect((await served.ask('GET', state, { headers: { 'if-none-match': '"2"' } })).status).toBe(200)
      expect((await served.ask('GET', state, { headers: { 'if-none-match': 'soon' } })).status).toBe(400)
    })

    it('S0-34 S0-35 C9 C10 the whole document is replaced by who knows its version', async () => {
      const { served, state } = await root({ a: 1 })
      const blind = await served.ask('PUT', state, { body: { state: { b: 2 } } })
      expect([blind.status, blind.body.error, blind.body.current_version]).toEqual([428, 'precondition_required', 1])
      const put = await served.ask('PUT', state, { body: { state: { b: 2 } }, headers: { 'if-match': '"1"' } })
      expect([put.status, put.headers.etag, put.body.state]).toEqual([200, '"2"', { b: 2 }])
      const stale = { body: { state: {} }, headers: { 'if-match': '"1"' } }
      const lost = await served.ask('PUT', state, stale)
      expect(lost.status).toBe(409)
      expect(lost.body).toMatchObject({
        error: 'version_conflict',
        current_version: 2,
        your_version: 1,
        current_state: { b: 2 },
      })
      const preferred = await served.ask('PUT', state, {
        ...stale,
        headers: { 'if-match': '"1"', prefer: 'status=412' },
      })
      expect([preferred.status, preferred.headers['preference-applied']]).toEqual([412, 'status=412'])
    })

    it('S0-36 S0-40 S0-41 S0-42 S0-43 S0-44 S0-45 a patch merges, with operators and paths', async () => {
      const { served, state } = await root({
        findings: ['x'],
        counters: { processed: 1 },
        o: { a: 1 },
        gone: 1,
        n: { a: 1 },
      })
      const type = 'application/merge-patch+json'
      const body = {
        findings: { $append: ['y'] },
        'counters.processed': { $increment: 1 },
        o: { $set: { b: 2 } },
        gone: { $delete: true },
        n: { b: 2 },
      }
      const patched = await served.ask('PATCH', state, { body, type, headers: { 'if-match': '"1"' } })
      expect(patched.status).toBe(200)
      const read = await served.ask('GET', state)
      expect(patched.headers.etag).toBe(read.headers.etag)
      expect(patched.body.state).toEqual(read.body.state)
      expect(read.body.state).toEqual({
        findings: ['x', 'y'],
        counters: { processed: 2 },
        o: { b: 2 },
        n: { a: 1, b: 2 },
      })
      const shallow = await served.ask('PATCH', state, {
        body: { n: { c: 3 } },
        type,
        headers: { 'x-merge-strategy': 'shallow' },
      })
      expect(shallow.status).toBe(200)
      expect((await served.ask('GET', state)).body.state).toMatchObject({ n: { c: 3 } })
      const odd = await served.ask('PATCH', state, { body: {}, type, headers: { 'x-merge-strategy': 'sideways' } })
      expect([odd.status, odd.body.path]).toEqual([422, 'strategy'])
      const late = await served.ask('PATCH', state, { body: { n: 1 }, type, headers: { 'if-match': '"1"' } })
      expect([late.status, late.body.your_version]).toEqual([409, 1])
    })

    it('S0-57 S0-58 S0-59 S0-60 S0-63 a key has its own version, which a write has to know', async () => {
      const { served, state } = await root()
      const key = `${state}/keys/${encodeURIComponent('a/b ü')}`
      expect([(await served.ask('GET', key)).status]).toEqual([404])
      const made = await served.ask('PUT', key, { body: { value: { x: 1 } } })
      expect([made.status, made.headers.etag]).toEqual([200, '"1"'])
      const read = await served.ask('GET', key)
      expect(read.headers.etag).toBe('"1"')
      expect(read.body).toMatchObject({ key: 'a/b ü', value: { x: 1 }, version: 1 })
      const blind = await served.ask('PUT', key, { body: { value: 2 } })
      expect([blind.status, blind.body.current_version, blind.body.current_value]).toEqual([428, 1, { x: 1 }])
      const put = await served.ask('PUT', key, { body: { value: 2 }, headers: { 'if-match': '"1"' } })
      expect([put.status, put.headers.etag, put.body.value, put.body.version]).toEqual([200, '"2"', 2, 2])
      const lost = await served.ask('PUT', key, { body: { value: 3 }, headers: { 'if-match': '"1"' } })
      expect(lost.status).toBe(409)
      expect(lost.body).toMatchObject({
        error: 'version_conflict',
        key: 'a/b ü',
        current_version: 2,
        your_version: 1,
        current_value: 2,
      })
    })

    it('S0-61 S0-62 C8 U14 a write can do without, take one of several versions, or create only', async () => {
      const { served, state } = await root()
      const key = `${state}/keys/k`
      const put = async (headers: Record<string, string>) =>
        (await served.ask('PUT', key, { body: { value: 1 }, headers })).status
      expect(await put({ 'if-match': '*' })).toBe(200)
      expect(await put({ 'x-if-match': 'skip' })).toBe(200)
      expect(await put({ 'if-none-match': '*' })).toBe(409)
      expect(await put({ 'if-match': '"8", "2"' })).toBe(200)
      expect(await put({ 'if-match': '"1", "2"' })).toBe(409)
      expect(await put({ 'if-match': 'global_version_3' })).toBe(400)
      expect(await put({ 'if-match': '"global_version_3"' })).toBe(200)
      for (const bad of ['', 'W/"4"', '"x"', '"-1"', '4 5', '"9007199254740993"', Array(17).fill('"1"').join()]) {
        expect([bad, await put({ 'if-match': bad })]).toEqual([bad, 400])
      }
      expect(await put({ 'x-if-match': 'perhaps' })).toBe(400)
      expect(await put({ 'if-none-match': '"1"' })).toBe(400)
      const twice = await served.ask('PUT', key, { body: { value: 1, version: 4 }, headers: { 'if-match': '"4"' } })
      expect([twice.status, twice.body.path]).toEqual([400, 'version'])
      const inBody = await served.ask('PUT', key, { body: { value: 1, version: 3 } })
      expect([inBody.status, inBody.body.current_version]).toEqual([409, 4])
    })

    it('S0-64 a key is deleted, by who knows its version if it says one', async () => {
      const { served, state } = await root({ a: 1, b: 1 })
      expect((await served.ask('DELETE', `${state}/keys/a`, { headers: { 'if-match': '"9"' } })).status).toBe(409)
      const gone = await served.ask('DELETE', `${state}/keys/a`, { headers: { 'if-match': '"1"' } })
      expect([gone.status, gone.text]).toEqual([204, ''])
      expect((await served.ask('DELETE', `${state}/keys/b`)).status).toBe(204)
      expect((await served.ask('DELETE', `${state}/keys/b`)).status).toBe(404)
    })

    it('S0-65 S0-66 S0-67 S0-68 a batch is all or nothing and says what became of each', async () => {
      const { served, state } = await root({ a: 1 })
      const done = await served.ask('POST', `${state}/batch`, {
        body: {
          operations: [
            { op: 'set', key: 'a', value: 2, if_match: 1 },
            { op: 'set', key: 'b', value: 1 },
          ],
        },
      })
      expect(done.status).toBe(200)
      expect(done.body).toMatchObject({
        applied: true,
        results: [
          { key: 'a', status: 'success', version: 2 },
          { key: 'b', status: 'success', version: 1 },
        ],
      })
      const lost = await served.ask('POST', `${state}/batch`, {
        body: {
          operations: [
            { op: 'delete', key: 'b' },
            { op: 'delete', key: 'a', if_match: 1 },
          ],
        },
      })
      expect(lost.status).toBe(409)
      expect(lost.body).toMatchObject({
        applied: false,
        results: [{ key: 'b' }, { key: 'a', status: 'conflict', current_version: 2 }],
      })
      expect((await served.ask('GET', state)).body.state).toEqual({ a: 2, b: 1 })
    })

    it('S0-69 S0-70 S0-71 S0-72 operations on a key need no version', async () => {
      const { served, state } = await root()
      const op = async (key: string, body: object) =>
        (await served.ask('POST', `${state}/keys/${key}/ops`, { body })).body
      expect(await op('n', { operation: 'increment', delta: 2 })).toMatchObject({ value: 2, version: 1 })
      expect(await op('n', { operation: 'increment' })).toMatchObject({ value: 3, version: 2 })
      expect(await op('l', { operation: 'append', items: ['a', 'b'] })).toMatchObject({ length: 2, version: 1 })
      expect(await op('o', { operation: 'merge', patch: { 'nested.field': 'v' } })).toMatchObject({
        value: { nested: { field: 'v' } },
      })
      expect(await op('n', { operation: 'max', value: 9 })).toMatchObject({ value: 9 })
      expect(await op('c', { operation: 'counter_add', value: 4 })).toMatchObject({ value: 4 })
      expect(await op('s', { operation: 'set_add', items: ['x'] })).toMatchObject({ version: 1 })
      expect(await op('s', { operation: 'set_remove', items: ['x'] })).toMatchObject({ version: 2 })
      expect(await op('r', { operation: 'register_set', value: 1 })).toMatchObject({ value: 1 })
      expect(await op('n', { operation: 'square' })).toMatchObject({ error: 'invalid_input', path: 'operation' })
      expect(await op('n', {})).toMatchObject({ error: 'invalid_input', path: 'operation' })
      const conditional = await served.ask('POST', `${state}/keys/n/ops`, {
        body: { operation: 'increment' },
        headers: { 'if-match': '"3"' },
      })
      expect(conditional.status).toBe(400)
      const mixed = await served.ask('PATCH', `${state}/keys/o`, {
        body: [{ op: 'test', path: '/nested/field', value: 'v' }],
        type: 'application/json-patch+json',
      })
      expect([mixed.status, mixed.headers.etag]).toEqual([200, '"2"'])
      const merged = await served.ask('PATCH', `${state}/keys/o`, { body: { b: 1 }, headers: { 'if-match': '"2"' } })
      expect(merged.body.value).toEqual({ nested: { field: 'v' }, b: 1 })
    })

    it('S0-96 S0-98 S0-99 raw events are recorded, listed by pages, and the past is read', async () => {
      const { served, state } = await root({ a: 1 })
      const made = await served.ask('POST', `${state}/events`, { body: { type: 'set', key: 'a', value: 2 } })
      expect(made.status).toBe(201)
      expect(made.body).toMatchObject({ sequence_number: 2 })
      await served.ask('POST', `${state}/events`, { body: { type: 'increment', key: 'a', delta: 5 } })
      const page = await served.ask('GET', `${state}/events?since=1&limit=1`)
      expect(page.body).toMatchObject({
        has_more: true,
        events: [{ event_id: made.body.event_id, type: 'set', key: 'a', value: 2, seq: 2 }],
      })
      const next = await served.ask('GET', `${state}/events?since=2&limit=1`)
      expect(next.body).toMatchObject({ has_more: false, events: [{ delta: 5, seq: 3 }] })
      const past = await served.ask('GET', `${state}?at_sequence=2`)
      expect(past.body).toMatchObject({ state: { a: 2 }, sequence: 2 })
      expect((await served.ask('GET', `${state}?at=2&at_sequence=2`)).status).toBe(422)
    })

    it('U15 a repeated request gets the first answer, also with several versions', async () => {
      const { served, state } = await root({ k: 1, n: 0 })
      const headers = { 'idempotency-key': `once ${state}`, 'if-match': '"2", "1"' }
      const first = await served.ask('PUT', `${state}/keys/k`, { body: { value: 5 }, headers })
      const second = await served.ask('PUT', `${state}/keys/k`, { body: { value: 5 }, headers })
      expect([first.status, first.body.version]).toEqual([200, 2])
      expect(second.text).toBe(first.text)
      const other = await served.ask('PUT', `${state}/keys/k`, { body: { value: 6 }, headers })
      expect([other.status, other.body.error]).toEqual([422, 'idempotency_mismatch'])
    })

    it('history, why, diff, restore, summary and wait are there', async () => {
      const { served, state } = await root({ k: 1 })
      await served.ask('PUT', `${state}/keys/k`, { body: { value: 'two' }, headers: { 'if-match': '"1"' } })
      const history = await served.ask('GET', `${state}/keys/k/history?limit=1`)
      expect(history.body).toMatchObject({ has_more: true, versions: [{ version: 2, value: 'two' }] })
      expect((await served.ask('GET', `${state}/keys/k/why`)).body).toMatchObject({ events: [{ type: 'set' }] })
      expect((await served.ask('GET', `${state}/diff?from=3&to=now`)).body).toMatchObject({
        changes: [{ key: 'k', op: 'changed', before: 1, after: 'two' }],
      })
      expect((await served.ask('POST', `${state}/restore`, { body: { to: 3 } })).status).toBe(200)
      expect((await served.ask('GET', `${state}/summary`)).body).toMatchObject({ summary: { k: 1 } })
      const waiting = served.ask('GET', `${state}/keys/k/wait?equals=%22three%22&timeout=30s`)
      await served.ask('PUT', `${state}/keys/k`, { body: { value: 'three' }, headers: { 'if-match': '*' } })
      expect((await waiting).body).toMatchObject({ value: 'three' })
      const late = await served.ask('GET', `${state}/keys/k/wait?condition=absent&timeout=10ms`)
      expect([late.status, late.body.error, late.body.current_version]).toEqual([504, 'timeout', 4])
    })

    it('leases, schemas, sessions, the log and tokens are there', async () => {
      const { served, state, id, child } = await root()
      const claim = await served.ask('POST', `/sessions/${id}/leases/build/claim`, { body: { ttl: '1m' } })
      expect(claim.body).toMatchObject({ name: 'build', token: expect.stringMatching(/^1\.[0-9a-f]{32}$/) })
      const other = await served.ask('POST', `/sessions/${id}/leases/build/claim`, { body: { ttl: '1m' } })
      expect([other.status, other.body.error]).toEqual([409, 'held_by_other'])
      expect((await served.ask('GET', `/sessions/${id}/leases`)).body).toMatchObject({
        leases: [{ name: 'build', epoch: 1, held: true }],
      })
      const given = { body: { token: String(claim.body.token) } }
      expect((await served.ask('POST', `/sessions/${id}/leases/build/release`, given)).status).toBe(200)
      const key = await served.ask('POST', `${state}/keys/k/claim`, { body: { ttl: '1m' } })
      const under = (token: string) =>
        served.ask('PUT', `${state}/keys/k?fence=${encodeURIComponent(`key/k:${token}`)}`, { body: { value: 1 } })
      const late = await under(String(key.body.token).replace('1.', '2.'))
      expect([late.status, late.body.error]).toEqual([409, 'fenced'])
      const malformed = await under('1')
      expect([malformed.status, malformed.body.error]).toEqual([422, 'invalid_input'])

      const schema = { target: 'n', schema: { type: 'number' } }
      expect((await served.ask('PUT', `/sessions/${id}/schemas`, { body: schema })).status).toBe(200)
      expect((await served.ask('PUT', `${state}/keys/n`, { body: { value: 'x' } })).status).toBe(422)
      expect((await served.ask('GET', `/sessions/${id}/schemas`)).body).toMatchObject({ schemas: [schema] })
      expect((await served.ask('DELETE', `/sessions/${id}/schemas?target=n`)).status).toBe(200)

      expect((await served.ask('GET', `/sessions/${child}`)).body).toMatchObject({ parent_session_id: id })
      expect((await served.ask('GET', `/sessions/${id}/tree`)).body).toMatchObject({
        children: [{ session_id: child }],
      })
      const log = await served.ask('GET', `/sessions/${child}/events?since=1&limit=1`)
      expect(log.body).toMatchObject({
        root_session_id: id,
        has_more: true,
        events: [{ seq: 2, type: 'session_created' }],
      })
      expect(
        (await served.ask('POST', `/sessions/${id}/use`, { body: { project_dir: `/tmp/${id}` } })).body,
      ).toMatchObject({ project_dir: `/tmp/${id}` })
      expect((await served.ask('POST', `/sessions/${child}/end`)).body).toMatchObject({ status: 'completed' })
      const page = await served.ask('GET', '/sessions?limit=1')
      const rest = await served.ask('GET', `/sessions?limit=1&cursor=${page.body.next_cursor}`)
      expect(rest.body.sessions).not.toEqual(page.body.sessions)

      const token = await served.ask('POST', '/tokens', { body: { kind: 'reader', name: id } })
      expect(token.status).toBe(201)
      expect((await served.ask('GET', '/tokens?limit=1')).body).toMatchObject({ tokens: [{ name: id }] })
      expect((await served.ask('POST', `/tokens/${token.body.id}/rotate`)).body).toMatchObject({ id: token.body.id })
      expect((await served.ask('DELETE', `/tokens/${token.body.id}`)).body).toMatchObject({ revoked: true })
    })

    it('S0-24 the session meant is that of the header when the call by name has none', async () => {
      const { served, child } = await root({ a: 1 })
      const headers = { 'x-agent-session-name': child }
      const read = await served.ask('POST', '/operations/state.get', { body: { key: 'a' }, headers })
      expect(read.body).toMatchObject({ key: 'a', value: 1 })
      const write = await served.ask('POST', '/operations/state.increment', { body: { key: 'a' }, headers })
      expect(write.body).toMatchObject({ value: 2 })
      expect((await served.ask('POST', '/operations/state.get', { body: { key: 'a' } })).body.error).toBe('no_session')
    })
  })
}
