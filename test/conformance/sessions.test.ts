import { describe, expect, it } from 'vitest'
import type { Cairn } from '../../src/index.ts'
import { operations } from '../../src/operations/index.ts'
import type { AnyOperation } from '../../src/operations/operation.ts'
import { startActors } from '../setup/processes.ts'
import { lastSeq, newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, sharedStore } from '../setup/stores.ts'

/** Two spellings a person cannot tell apart: é as one code point and as two. */
const composed = 'Caf\u00e9'
const decomposed = 'CAFE\u0301'

for (const kind of STORES) {
  describe(`the tree of sessions on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('S0-138 S0-13 S0-18 S0-19 S0-20 S0-16 gives every session below a root that root', async () => {
      const cairn = await store().open()
      const root = await cairn.session.create({ topic: 'Faster parser', name: 'origin' })
      expect(root.root_session_id).toBe(root.session_id)
      const a = await cairn.session.create({ topic: 'a', name: 'worker a', parent: root.session_id })
      // By the name of the parent, as well as by its id.
      const b = await cairn.session.create({ topic: 'b', parent: 'WORKER A' })
      const c = await cairn.session.create({ topic: 'c', parent: b.session_id })
      for (const made of [a, b, c]) {
        expect(made.root_session_id).toBe(root.session_id)
        expect(await cairn.session.show({ session: made.session_id })).toMatchObject({
          root_session_id: root.session_id,
        })
      }
      expect(await cairn.session.show({ session: c.session_id })).toMatchObject({
        parent_session_id: b.session_id,
        depth: 3,
      })
      const rows = await store().sql(
        'SELECT s.id, r.id AS root FROM sessions s LEFT JOIN roots r ON r.root = s.root WHERE s.root = $1 ORDER BY s.no',
        root.session_id,
      )
      expect(rows).toEqual([root, a, b, c].map(({ session_id }) => ({ id: session_id, root: root.session_id })))
    })

    it('C15 C14 shows a session with its ids, words and times', async () => {
      const cairn = await store().open()
      const given = {
        topic: 'Über die Maßen — faster!',
        objective: 'o',
        description: 'd',
        strategy: 'pipeline',
        type: 'research',
        metadata: { a: [1, { b: null }] },
        project: '/srv/project',
      } satisfies Parameters<typeof cairn.session.create>[0]
      const { session_id: session, slug, status } = await cairn.session.create(given)
      expect(session).toMatch(/^sess_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
      expect(slug).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d_[a-z0-9-]+_${session.slice(-6)}$`))
      expect(status).toBe('running')
      const { type, project, ...rest } = given
      expect(await cairn.session.show({ session })).toMatchObject({
        ...rest,
        session_type: type,
        project_dir: project,
        session_id: session,
        session_name: slug,
        slug,
        parent_session_id: null,
        depth: 0,
        ended_at: null,
        reason: null,
        children: [],
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      })
    })

    it('C3 shows a tree with all below a session, and only that', async () => {
      const { cairn, session } = await newRoot(store())
      const a = await newChild(cairn, session, 'a')
      const b = await newChild(cairn, session, 'b')
      const below = await newChild(cairn, a, 'below a')
      expect(await cairn.session.tree({})).toMatchObject({
        session_id: session,
        children: [
          {
            session_id: a,
            parent_session_id: session,
            children: [{ session_id: below, parent_session_id: a, children: [] }],
          },
          { session_id: b, children: [] },
        ],
      })
      expect((await cairn.session.tree({ session: a })).children).toMatchObject([{ session_id: below }])
      expect((await cairn.session.show({})).children).toEqual([a, b])
    })

    it('U5 keeps the parent of a session, whatever becomes of both', async () => {
      const asking = Object.values(operations).flatMap((verbs) => Object.values<AnyOperation>(verbs))
      const takers = asking.filter(({ input }) => Object.hasOwn(input.members, 'parent'))
      expect(takers.map(({ name }) => name)).toEqual(['session.create'])
      const { cairn, session } = await newRoot(store())
      const parent = await newChild(cairn, session, 'parent')
      const child = await newChild(cairn, parent, 'child')
      // Creating it once more below another one does not move it.
      expect(await refused(newChild(cairn, session, 'child'))).toMatchObject({ code: 'already_exists' })
      await cairn.session.end({ session: parent, status: 'failed' })
      expect(await cairn.session.show({ session: child })).toMatchObject({ parent_session_id: parent, depth: 2 })
    })

    it('U6 refuses a parent that does not exist, and state given to a child', async () => {
      const { cairn, session } = await newRoot(store())
      const parent = 'sess_00000000000070008000000000000000'
      expect(await refused(cairn.session.create({ topic: 't', parent }))).toMatchObject({ code: 'session_not_found' })
      expect(await refused(cairn.session.create({ topic: 't', parent: session, initial_state: {} }))).toMatchObject({
        code: 'invalid_input',
        details: { path: 'initial_state' },
      })
      expect(await lastSeq(cairn)).toBe(1)
    })

    it('U6 keeps names unique in a root, whatever their case and Unicode form', async () => {
      const { cairn, session } = await newRoot(store())
      await newChild(cairn, session, composed)
      for (const name of [composed, composed.toLowerCase(), decomposed, decomposed.toLowerCase(), 'CAF\u00c9']) {
        expect(await refused(newChild(cairn, session, name)), name).toMatchObject({
          code: 'already_exists',
          details: { session_name: name },
        })
      }
      // Also below another parent, and against the slug of a session that was given no name.
      const { slug } = await cairn.session.show({})
      expect(await refused(newChild(cairn, composed, decomposed))).toMatchObject({ code: 'already_exists' })
      expect(await refused(newChild(cairn, session, slug.toUpperCase()))).toMatchObject({ code: 'already_exists' })
      // Another root has names of its own.
      const other = await newRoot(store())
      await newChild(other.cairn, other.session, composed)
    })

    it('U6 lets exactly one of 50 that create the same name at once', async () => {
      const { cairn, session } = await newRoot(store())
      const actors = await startActors(store().options, [session, session])
      const input = (at: number) => ({ topic: 't', parent: session, name: at % 2 ? composed : decomposed })
      const inputs = Array.from({ length: 25 }, (_, at) => [input(at)])
      const done = (await Promise.all(actors.map((actor) => actor.call('session.create', inputs)))).flat(2)
      expect(done.filter((each) => 'answer' in each)).toHaveLength(1)
      expect(done.filter((each) => 'refused' in each && each.refused === 'already_exists')).toHaveLength(49)
      expect((await cairn.session.show({})).children).toHaveLength(1)
      const mine = Array.from({ length: 50 }, () =>
        newChild(cairn, session, 'mine').then(
          () => 'made',
          (error) => error.code,
        ),
      )
      const outcomes = await Promise.all(mine)
      expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'already_exists')).toHaveLength(49)
    })

    it('U6 U8 grows at most 16 levels deep', async () => {
      const { cairn, session } = await newRoot(store())
      let last = session
      for (let depth = 1; depth < 16; depth++) last = await newChild(cairn, last)
      expect(await cairn.session.show({ session: last })).toMatchObject({ depth: 15 })
      expect(await refused(newChild(cairn, last))).toMatchObject({
        code: 'invalid_input',
        details: { limit: 'treeDepth', limit_value: 16 },
      })
      expect(await lastSeq(cairn)).toBe(16)
    })

    it('C15 finds a session by id, slug, name, and four or more characters of either end', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session, `Finder ${session.slice(-4)}`)
      const { slug } = await cairn.session.show({ session: child })
      // The whole id but its last character is a unique start; the time in front of it is shared by neighbours.
      const named = [
        child,
        slug,
        `finder ${session.slice(-4)}`,
        child.slice(0, -1),
        child.slice(5, -1),
        child.slice(-8),
        child.slice(-12),
        // As it is typed from the screen, which shows the last eight.
        child.slice(-8, -2),
      ]
      for (const asked of named)
        expect(await cairn.session.show({ session: asked }), asked).toMatchObject({ session_id: child })
      for (const asked of [child.slice(-3), 'sess_0000', `${child}0`, 'nobody', child.slice(8, 20), '%', '____']) {
        expect(await refused(cairn.session.show({ session: asked })), asked).toMatchObject({
          code: 'session_not_found',
        })
      }
    })

    it('C15 names the candidates when an id or a name fits several sessions', async () => {
      const one = await newRoot(store())
      const two = await newRoot(store())
      const name = `shared ${one.session.slice(-4)}`
      const children = [await newChild(one.cairn, one.session, name), await newChild(two.cairn, two.session, name)]
      const cairn = await store().open()
      const refusal = await refused(cairn.session.show({ session: name.toUpperCase() }))
      expect(refusal.code).toBe('ambiguous_id')
      const candidates = refusal.details.candidates as { session_id: string; slug: string; status: string }[]
      expect(candidates.map(({ session_id }) => session_id).sort()).toEqual([...children].sort())
      expect(await refused(cairn.session.show({ session: 'sess_' }))).toMatchObject({ code: 'ambiguous_id' })
      // Whoever acts in a root means the session of that name in it.
      expect(await two.cairn.session.show({ session: name })).toMatchObject({ session_id: children[1] })
      expect(await one.cairn.state.set({ session: name, key: 'k', value: 1 })).toMatchObject({
        updated_by: children[0],
      })
    })
  })

  describe(`the end of a session on ${kind.name}`, () => {
    const store = sharedStore(kind)

    const writes: [name: string, ask: (cairn: Cairn, session: string) => Promise<unknown>][] = [
      ['set', (cairn, session) => cairn.state.set({ session, key: 'n', value: 1 })],
      ['delete', (cairn, session) => cairn.state.delete({ session, key: 'n' })],
      ['increment', (cairn, session) => cairn.state.increment({ session, key: 'n' })],
      ['append', (cairn, session) => cairn.state.append({ session, key: 'l', items: [1] })],
      ['merge', (cairn, session) => cairn.state.merge({ session, key: 'o', patch: {} })],
      ['patch', (cairn, session) => cairn.state.patch({ session, patch: { n: 1 } })],
      ['json-patch', (cairn, session) => cairn.state.jsonPatch({ session, key: 'n', operations: [] })],
      ['min', (cairn, session) => cairn.state.min({ session, key: 'n', value: 0 })],
      ['max', (cairn, session) => cairn.state.max({ session, key: 'n', value: 9 })],
      ['set-if-absent', (cairn, session) => cairn.state.setIfAbsent({ session, key: 'n', value: 9 })],
      ['mutate', (cairn, session) => cairn.state.mutate({ session, mutation: { type: 'increment', key: 'n' } })],
      ['replace', (cairn, session) => cairn.state.replace({ session, state: {} })],
      ['init', (cairn, session) => cairn.state.init({ session })],
      ['batch', (cairn, session) => cairn.state.batch({ session, operations: [{ op: 'increment', key: 'n' }] })],
      ['a child', (cairn, session) => cairn.session.create({ topic: 't', parent: session })],
    ]

    it('U17 refuses every write of a session that has ended, and still lets it read', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      await cairn.state.set({ key: 'n', value: 1 })
      expect(await cairn.session.end({ session: child, status: 'failed', reason: 'r' })).toEqual({
        session_id: child,
        root_session_id: session,
        status: 'failed',
        also_ended: [],
      })
      const before = await lastSeq(cairn)
      for (const [name, ask] of writes) {
        expect(await refused(ask(cairn, child)), name).toMatchObject({
          code: 'session_ended',
          details: { session_id: child, status: 'failed' },
        })
      }
      expect(await lastSeq(cairn)).toBe(before)
      expect(await cairn.state.get({ session: child, key: 'n' })).toMatchObject({ value: 1 })
      expect(await cairn.session.show({ session: child })).toMatchObject({
        status: 'failed',
        reason: 'r',
        ended_at: expect.stringMatching(/Z$/),
      })
      expect(await cairn.state.set({ key: 'n', value: 2 })).toMatchObject({ version: 2 })
    })

    it('U17 ends all below a root with it, and nothing that is beside', async () => {
      const { cairn, session } = await newRoot(store())
      const a = await newChild(cairn, session, 'a')
      const below = await newChild(cairn, a, 'below')
      const beside = await newChild(cairn, session, 'beside')
      const early = await newChild(cairn, a, 'early')
      await cairn.session.end({ session: early })
      expect(await cairn.session.end({ session: a })).toMatchObject({ status: 'completed', also_ended: [below] })
      const status = async (asked: string) => (await cairn.session.show({ session: asked })).status
      expect(await Promise.all([session, a, below, beside, early].map(status))).toEqual([
        'running',
        'completed',
        'cancelled',
        'running',
        'completed',
      ])
      expect((await cairn.session.show({ session: below })).reason).toContain('a has ended')
      expect(await cairn.session.end({ status: 'cancelled' })).toMatchObject({ also_ended: [beside] })
      for (const asked of [session, a, below, beside]) {
        const refusal = await refused(cairn.state.increment({ session: asked, key: 'n' }))
        expect(refusal).toMatchObject({ code: 'session_ended' })
      }
    })

    it('U24 refuses a second end and names what is legal', async () => {
      const { cairn } = await newRoot(store())
      await cairn.session.end({ status: 'failed' })
      expect(await refused(cairn.session.end({}))).toMatchObject({
        code: 'illegal_transition',
        details: { from: 'failed', to: 'completed', legal: ['created', 'running'] },
      })
      expect(await lastSeq(cairn)).toBe(2)
    })

    it('U17 lets a writer that is faster than the end through, and none that is slower', async () => {
      const { cairn } = await newRoot(store())
      await cairn.session.show({})
      const outcomes = await Promise.allSettled(
        Array.from({ length: 21 }, (_, at) =>
          at === 10 ? cairn.session.end({}) : cairn.state.increment({ key: 'n' }),
        ),
      )
      const done = outcomes.filter(({ status }) => status === 'fulfilled').length
      expect(done).toBe(11)
      expect(await cairn.state.get({ key: 'n' })).toMatchObject({ value: 10 })
    })
  })

  describe(`which session is meant on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('U4 takes the session named, else that of the caller, else that of the project, else says which there are', async () => {
      const cairn = await store().open()
      const make = async (project?: string) =>
        (await cairn.session.create({ topic: 't', ...(project ? { project } : {}) })).session_id
      const here = await make('/here')
      const own = await make()
      const meant = async (options: object, input: object = {}) =>
        (await (await store().open(options)).session.show(input)).session_id
      expect(await meant({ project: '/here' })).toBe(here)
      expect(await meant({ project: '/here', session: own })).toBe(own)
      expect(await meant({ project: '/here', session: own }, { session: here })).toBe(here)
      expect(await refused(meant({}))).toMatchObject({ code: 'no_session', details: { candidates: [] } })
      expect(await refused(meant({ project: '/elsewhere' }))).toMatchObject({ code: 'no_session' })

      const second = await make('/here')
      const refusal = await refused(meant({ project: '/here' }))
      expect(refusal.code).toBe('ambiguous_id')
      expect(refusal.details.candidates).toMatchObject([{ session_id: second }, { session_id: here }])
      await cairn.project.use({ session: here, project: '/here' })
      expect(await meant({ project: '/here' })).toBe(here)
      await cairn.project.use({ session: second.slice(-8), project: '/here' })
      expect(await meant({ project: '/here' })).toBe(second)
      // One that has ended is no candidate.
      const third = await make('/there')
      await make('/there')
      await cairn.session.end({ session: third })
      expect(await meant({ project: '/there' })).not.toBe(third)
    })

    it('lists roots, newest first and page by page, those of a project or those that ended too', async () => {
      const cairn = await store().open()
      const made: string[] = []
      for (let at = 0; at < 7; at++) {
        const project = at % 2 ? '/odd' : '/even'
        made.unshift((await cairn.session.create({ topic: `t${at}`, project })).session_id)
        await newChild(cairn, made[0] as string)
      }
      await cairn.session.end({ session: made[2] as string })
      const ids = async (input: object) =>
        (await cairn.session.list(input)).sessions.map(({ session_id }) => session_id)
      const order = [...made].sort().reverse()
      const open = order.filter((id) => id !== made[2])
      expect(await ids({})).toEqual(open)
      expect(await ids({ all: true })).toEqual(order)
      expect(await ids({ all: true, project: '/odd' })).toHaveLength(3)
      expect(await ids({ project: '/none' })).toEqual([])
      const first = await cairn.session.list({ limit: 4 })
      expect(first.next_cursor).toBe(open[3])
      const rest = await cairn.session.list({ limit: 4, cursor: String(first.next_cursor) })
      expect([...first.sessions, ...rest.sessions].map(({ session_id }) => session_id)).toEqual(open)
      expect(rest.next_cursor).toBeNull()
    })
  })
}
