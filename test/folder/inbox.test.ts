import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { serveHere } from '../setup/serve-here.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject } from './folders.ts'

for (const kind of STORES) {
  describe(`an inbox with a store on ${kind.name}`, () => {
    const store = freshStore(kind)
    const project = freshProject()

    async function made() {
      const cairn = await store().open()
      const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
      const inbox = join(dir as string, 'inbox')
      mkdirSync(inbox, { recursive: true })
      const put = (name: string, command: unknown) =>
        writeFileSync(join(inbox, `${name}.json`), typeof command === 'string' ? command : JSON.stringify(command))
      /** Some change, after which this process does what the inbox asks for. */
      const touch = async () => {
        const again = await store().reopen()
        await again.state.increment({ session, key: 'touched' })
        return store().reopen()
      }
      return { cairn, session, inbox, put, touch }
    }

    it('S4-64 what lies in it is done as ordinary operations, in order and once', async () => {
      const { session, inbox, put, touch } = await made()
      put('0002', { operation: 'journal.note', input: { text: 'second' } })
      put('0001', { operation: 'journal.note', input: { text: 'first' }, request_id: 'r1' })
      const cairn = await touch()
      put('0003', { operation: 'journal.note', input: { text: 'first' }, request_id: 'r1' })
      const again = await touch()
      void cairn
      const { events } = await again.log.list({ session, stream: 'journal', since: 0 })
      expect(events).toMatchObject([{ data: { text: 'first' }, actor: 'inbox' }, { data: { text: 'second' } }])
      expect(readdirSync(inbox)).toEqual([])
    })

    it('what is refused is put aside with the reason, and nothing else is reached by it', async () => {
      const { cairn, session, inbox, put, touch } = await made()
      const { session_id: other } = await cairn.session.create({ topic: 'other' })
      put('beyond', { operation: 'journal.note', input: { text: 'x', session: other } })
      put('token', { operation: 'token.create', input: { kind: 'agent' } })
      put('rm', { operation: 'store.remove', input: { confirm: 'x', force: true } })
      put('wrong', { operation: 'journal.note', input: { words: 'x' } })
      put('nothing', '[1]')
      put('own', { operation: 'journal.note', input: { text: 'mine' } })
      symlinkSync('/etc/passwd', join(inbox, 'link.json'))
      execFileSync('mkfifo', [join(inbox, 'pipe.json')])
      const again = await touch()
      const rejected = readdirSync(join(inbox, 'rejected')).sort()
      const errors = rejected.map((name) => [
        name.slice(0, -5),
        JSON.parse(readFileSync(join(inbox, 'rejected', name), 'utf8')).error,
      ])
      expect(Object.fromEntries(errors)).toEqual({
        beyond: 'forbidden',
        link: 'forbidden',
        nothing: 'invalid_input',
        pipe: 'forbidden',
        rm: 'forbidden',
        token: 'forbidden',
        wrong: 'invalid_input',
      })
      expect(readdirSync(inbox)).toEqual(['rejected'])
      expect((await again.log.list({ session: other })).last_seq).toBe(1)
      expect((await again.log.list({ session, stream: 'journal', since: 0 })).events).toHaveLength(1)
    })

    it('a server does it without being asked', async () => {
      const { session, inbox, put } = await made()
      await store().close()
      const serving = await serveHere({ ...store().options, port: 0 })
      put('0001', { operation: 'state.set', input: { key: 'by', value: 'file' } })
      while (readdirSync(inbox).length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
      await serving.stop()
      const cairn = await store().open()
      expect((await cairn.state.get({ session, key: 'by' })).value).toBe('file')
    })
  })
}
