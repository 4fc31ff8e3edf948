import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashOf, readToken } from '../../src/domain/access/token.ts'
import { methodsOf, openCairn } from '../../src/open.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { freshStore, STORES, sharedStore } from '../setup/stores.ts'

for (const kind of STORES) {
  describe(`tokens on ${kind.name}`, () => {
    const store = sharedStore(kind)

    it('U1 U2 are made for agents and readers, and their secrets are kept nowhere', async () => {
      const { cairn, session } = await newRoot(store())
      const child = await newChild(cairn, session)
      const agent = await cairn.token.create({ kind: 'agent', session: child, name: 'fix' })
      const reader = await cairn.token.create({ kind: 'reader' })
      expect(agent).toMatchObject({ kind: 'agent', session_id: child, name: 'fix' })
      expect(reader).toMatchObject({ kind: 'reader', session_id: null, name: null })
      const { tokens } = await cairn.token.list({})
      for (const { token, ...rest } of [agent, reader]) {
        expect(tokens).toContainEqual(rest)
        const secret = token.slice(-43)
        expect(secret).toMatch(/^[\w-]{43}$/)
        expect(readToken(token)).toEqual({ id: rest.id, hash: hashOf(secret) })
        expect(JSON.stringify([await store().sql('SELECT * FROM tokens'), tokens])).not.toContain(secret)
      }
    })

    it('are bound to the session that is meant, and readers to none', async () => {
      const { cairn, session } = await newRoot(store())
      expect(await cairn.token.create({ kind: 'agent' })).toMatchObject({ session_id: session })
      const bound = cairn.token.create({ kind: 'reader', session })
      expect(await refused(bound)).toMatchObject({ code: 'invalid_input', details: { path: 'session' } })
      const nobody = cairn.token.create({ kind: 'agent', session: 'nobody' })
      expect(await refused(nobody)).toMatchObject({ code: 'session_not_found' })
    })

    it('are listed newest first, page by page', async () => {
      const { cairn } = await newRoot(store())
      const made = []
      for (let count = 0; count < 3; count++) {
        made.unshift((await cairn.token.create({ kind: 'reader' })).id)
        // Ids of one millisecond have no order.
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      const first = await cairn.token.list({ limit: 2 })
      const second = await cairn.token.list({ limit: 2, cursor: first.next_cursor as string })
      expect([...first.tokens, ...second.tokens].slice(0, 3).map(({ id }) => id)).toEqual(made)
    })

    it('are revoked by id, name or the end of an id, and watched by whoever they let in', async () => {
      const { log, caller } = await store().openLog()
      const cairn = methodsOf({ log, caller })
      const ways = [(id: string) => id, (id: string) => id.slice(-6), () => 'by its name']
      for (const way of ways) {
        const { id } = await cairn.token.create({ kind: 'reader', name: 'by its name' })
        let ended = 0
        log.tokens.watch(id, () => ended++)
        log.tokens.watch(id, () => ended++)()
        expect(await cairn.token.revoke({ id: way(id) })).toEqual({ id, revoked: true })
        expect(ended).toBe(1)
        expect(await log.tokens.byId(id)).toBeUndefined()
        expect(await refused(cairn.token.revoke({ id }))).toMatchObject({ code: 'not_found' })
        expect(await refused(cairn.token.rotate({ id }))).toMatchObject({ code: 'not_found' })
      }
    })

    it('have names of their own, which are free again when a token is revoked or has expired', async () => {
      const { log, caller } = await store().openLog()
      const cairn = methodsOf({ log, caller })
      const { id } = await cairn.token.create({ kind: 'reader', name: 'twin' })
      const { session_id: session } = await cairn.session.create({ topic: 'Work' })
      const second = refused(cairn.token.create({ kind: 'agent', session, name: 'twin' }))
      expect(await second).toMatchObject({ code: 'already_exists', details: { name: 'twin', id } })
      await cairn.token.revoke({ id: 'twin' })
      const short = await cairn.token.create({ kind: 'agent', session, name: 'twin', ttl: '1ms' })
      await new Promise((resolve) => setTimeout(resolve, 5))
      const next = await cairn.token.create({ kind: 'agent', session, name: 'twin' })
      const twins = (await cairn.token.list({})).tokens.filter(({ name }) => name === 'twin')
      expect(twins.map((token) => token.id)).toEqual([next.id])
      expect(await log.tokens.byId(short.id)).toBeUndefined()
    })

    it('have names of their own also where several processes make them at once', async () => {
      const opened = await Promise.all(Array.from({ length: 4 }, () => store().openLog()))
      const all = opened.map(({ log, caller }) => methodsOf({ log, caller }))
      for (const name of ['first', 'second', 'third']) {
        // One that has expired gives its name up: all of them find it, and one takes its place.
        await all[0]?.token.create({ kind: 'reader', name, ttl: '1ms' })
        await new Promise((resolve) => setTimeout(resolve, 5))
        const made = await Promise.allSettled(
          all.flatMap((cairn) => [1, 2].map(() => cairn.token.create({ kind: 'reader', name }))),
        )
        const failed = made.filter((each) => each.status === 'rejected').map(({ reason }) => reason.code)
        expect(failed).toEqual(Array.from({ length: 7 }, () => 'already_exists'))
        const listed = (await all[0]?.token.list({ limit: 1000 }))?.tokens ?? []
        expect(listed.filter((token) => token.name === name)).toHaveLength(1)
      }
    })

    it('are found by their name, by either end of their id, and by how the end that is shown begins', async () => {
      const { log, caller } = await store().openLog()
      const cairn = methodsOf({ log, caller })
      const ends = [
        (id: string) => id.slice(0, -1),
        (id: string) => id.slice(4, -1),
        (id: string) => id.slice(-8),
        (id: string) => id.slice(-8, -2),
      ]
      for (const end of ends) {
        const { id } = await cairn.token.create({ kind: 'reader' })
        expect(await cairn.token.revoke({ id: end(id) })).toEqual({ id, revoked: true })
      }
      const { id } = await cairn.token.create({ kind: 'reader' })
      expect(await refused(cairn.token.revoke({ id: id.slice(-3) }))).toMatchObject({ code: 'not_found' })
    })

    it('keep their id when they get another secret', async () => {
      const { log, caller } = await store().openLog()
      const cairn = methodsOf({ log, caller })
      const { token, ...made } = await cairn.token.create({ kind: 'reader', name: 'r' })
      let ended = 0
      log.tokens.watch(made.id, () => ended++)
      const rotated = await cairn.token.rotate({ id: made.id })
      expect(rotated).toMatchObject({ id: made.id, kind: 'reader', name: 'r', created_at: made.created_at })
      expect(rotated.token).not.toBe(token)
      expect((await log.tokens.byId(made.id))?.hash).toBe(readToken(rotated.token)?.hash)
      expect(ended).toBe(1)
    })

    it('go with their root when it is removed, and nobody else does', async () => {
      const { log, caller } = await store().openLog()
      const cairn = methodsOf({ log, caller })
      const [gone, stays] = [await store().createRoot(), await store().createRoot()]
      const [lost, kept] = [
        await cairn.token.create({ kind: 'agent', session: gone }),
        await cairn.token.create({ kind: 'agent', session: stays }),
      ]
      let ended = 0
      log.tokens.watch(lost.id, () => ended++)
      const { slug } = await cairn.session.show({ session: gone })
      await cairn.store.remove({ session: gone, confirm: slug, force: true })
      expect(ended).toBe(1)
      expect(await log.tokens.byId(lost.id)).toBeUndefined()
      expect(await log.tokens.byId(kept.id)).toMatchObject({ session: stays })
    })

    it("U1 the owner's token gets another secret in its file, and cannot be revoked", async () => {
      const cairn = await store().open()
      const path = join(store().home, 'token')
      const first = await cairn.token.rotate({ id: 'install' })
      const second = await cairn.token.rotate({ id: 'install' })
      expect(second).toMatchObject({ id: 'install', kind: 'owner' })
      expect(second.token).not.toBe(first.token)
      expect(readFileSync(path, 'utf8')).toBe(`${second.token}\n`)
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(readdirSync(store().home).filter((name) => name.startsWith('token'))).toEqual(['token'])
      expect(await refused(cairn.token.revoke({ id: 'install' }))).toMatchObject({ code: 'invalid_input' })
    })
  })

  describe(`copies of a store with tokens on ${kind.name}`, () => {
    const store = freshStore(kind)

    it('hold no token, not even its hash', async () => {
      const { cairn, session } = await newRoot(store())
      await cairn.state.set({ key: 'k', value: 1 })
      const { id, token } = await cairn.token.create({ kind: 'agent', session, name: 'swordfish' })
      const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'))
      const file = join(folder, 'copy')
      await cairn.store.backup({ file })
      const bytes = readFileSync(file)
      for (const part of [id, readToken(token)?.hash ?? '', 'swordfish']) expect(bytes.includes(part)).toBe(false)
      const restored = await openCairn({ home: join(folder, 'restored') })
      try {
        await restored.token.create({ kind: 'reader' })
        await restored.store.restore({ file })
        expect(await restored.state.get({ session, key: 'k' })).toMatchObject({ value: 1 })
        expect((await restored.token.list({})).tokens).toMatchObject([{ kind: 'reader' }])
      } finally {
        await restored.close()
        rmSync(folder, { recursive: true })
      }
    })
  })
}
