// Clients without a session of their own: what they are called, and that they end with their process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ownProcess, startOf } from '../../src/home/process-life.ts'
import type { Cairn } from '../../src/index.ts'
import { newChild, newRoot, refused } from '../setup/roots.ts'
import { STORES, sharedStore } from '../setup/stores.ts'

/** A process that does nothing until it is killed. */
async function sleeper(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** As another process on this machine would say of itself. */
function identityOf({ pid = 0 }: ChildProcess) {
  return { ...ownProcess(), pid, started: startOf(pid) ?? '' }
}

async function statusOf(cairn: Cairn, session: string) {
  const { status, reason } = await cairn.session.show({ session })
  return { status, reason }
}

const running = { status: 'running', reason: null }
const gone = { status: 'completed', reason: 'process gone' }

for (const kind of STORES) {
  describe(`clients that join on ${kind.name}`, () => {
    const store = sharedStore(kind)

    async function joined(cairn: Cairn, session: string, client: string, more: object = {}) {
      return cairn.session.join({ session, client, ...ownProcess(), ...more })
    }

    it('get the next free number after their name, also where a name is taken in another case', async () => {
      const { cairn, session: root } = await newRoot(store())
      await cairn.session.create({ topic: 'other', name: 'Claude-Code-2', parent: root })
      const names = []
      for (let count = 0; count < 3; count++) names.push((await joined(cairn, root, 'claude-code')).session_name)
      expect(names).toEqual(['claude-code-1', 'claude-code-3', 'claude-code-4'])
      expect((await joined(cairn, root, 'claude')).session_name).toBe('claude-1')
      const other = await store().open()
      const both = await Promise.all([joined(cairn, root, 'codex'), joined(other, root, 'codex')])
      expect(both.map(({ session_name }) => session_name).sort()).toEqual(['codex-1', 'codex-2'])
    })

    it.each([
      ['', 'agent-1'],
      ['   ', 'agent-1'],
      ['../../etc/passwd', 'etc-passwd-1'],
      ['Visual Studio Code', 'visual-studio-code-1'],
      ['a\u0007b', 'a-b-1'],
      ['クライアント', 'クライアント-1'],
      ['👩‍💻', 'agent-1'],
      ['dead', 'dead-1'],
      ['sess_0123', 'sess-0123-1'],
      [`sk-ant-${'x'.repeat(40)}`, 'agent-1'],
      ['x'.repeat(1024), `${'x'.repeat(48)}-1`],
      ['é'.repeat(500), `${'é'.repeat(24)}-1`],
    ])('the client %j is called %j', async (client, name) => {
      const { cairn, session: root } = await newRoot(store())
      const { session_name, session_id } = await joined(cairn, root, client)
      expect(session_name).toBe(name)
      expect(await cairn.session.show({ session: session_id })).toMatchObject({ parent_session_id: root })
    })

    it('are refused with what is wrong in what they say of their process', async () => {
      const { cairn, session: root } = await newRoot(store())
      for (const wrong of [{ pid: 0 }, { pid: 1.5 }, { host: '' }, { boot: 'b'.repeat(300) }, { started: 7 }]) {
        const refusal = await refused(joined(cairn, root, 'x', wrong))
        expect(refusal).toMatchObject({ code: 'invalid_input', details: { path: Object.keys(wrong)[0] } })
      }
      await cairn.session.end({ session: root })
      expect(await refused(joined(cairn, root, 'x'))).toMatchObject({ code: 'session_ended' })
    })

    it('join once, however often they ask with one request id', async () => {
      const { cairn, session: root } = await newRoot(store())
      const first = await joined(cairn, root, 'x', { request_id: `join ${root}` })
      expect(await joined(cairn, root, 'x', { request_id: `join ${root}` })).toEqual(first)
      expect((await cairn.session.tree({ session: root })).children).toHaveLength(1)
    })

    it('leave no trace of their process in the log and in forks', async () => {
      const { cairn, session: root } = await newRoot(store())
      const { host, boot, pid } = ownProcess()
      await joined(cairn, root, 'x')
      const { events } = await cairn.log.list({ session: root, since: 0 })
      const texts = JSON.stringify(events)
      for (const secret of [host, boot, `"pid"`, String(pid)]) expect(texts).not.toContain(secret)
      const fork = await cairn.session.fork({ session: root })
      expect(await store().sql('SELECT no FROM session_processes WHERE root = $1', fork.session_id)).toEqual([])
    })

    it('end when their process was killed, with what they claimed and their ephemeral keys: the next who opens the store sees to it', async () => {
      const { cairn, session: root } = await newRoot(store())
      const child = await sleeper()
      const { session_id } = await joined(cairn, root, 'x', identityOf(child))
      const below = await newChild(cairn, session_id)
      await cairn.state.set({ session: session_id, key: 'here', value: 1, ephemeral: true })
      await cairn.state.set({ session: session_id, key: 'kept', value: 1 })
      await cairn.state.claim({ session: session_id, key: 'work', ttl: '1h' })
      await cairn.lease.claim({ session: below, name: 'build', ttl: '1h' })
      await store().open()
      expect(await statusOf(cairn, session_id)).toEqual(running)
      await kill(child)
      const [a, b] = await Promise.all([store().open(), store().open()])
      expect(await statusOf(a, session_id)).toEqual(gone)
      expect(await statusOf(b, below)).toMatchObject({ status: 'cancelled' })
      expect((await a.state.all({ session: root })).state).toEqual({ kept: 1 })
      // Nobody has to wait until they run out.
      await a.state.claim({ session: root, key: 'work', ttl: '1s' })
      await a.lease.claim({ session: root, name: 'build', ttl: '1s' })
      const { events } = await a.log.list({ session: root, since: 0, limit: 1000 })
      expect(events.filter(({ type }) => type === 'status_changed')).toHaveLength(2)
      expect(events.map(({ type }) => type)).not.toContain('lease_lost')
    })

    it('are not taken for a later process with the same pid, nor judged from another machine or space of pids', async () => {
      const { cairn, session: root } = await newRoot(store())
      const child = await sleeper()
      const own = identityOf(child)
      const [alive, reused, booted, elsewhere, contained] = [
        await joined(cairn, root, 'alive', own),
        await joined(cairn, root, 'reused', { ...own, started: '1' }),
        await joined(cairn, root, 'booted', { ...own, boot: 'another' }),
        await joined(cairn, root, 'elsewhere', { ...own, host: 'another', started: '1' }),
        await joined(cairn, root, 'contained', { ...own, space: 'pid:[1]', started: '1' }),
      ]
      const seen = await store().open()
      for (const { session_id } of [alive, elsewhere, contained]) {
        expect(await statusOf(seen, session_id)).toEqual(running)
      }
      for (const { session_id } of [reused, booted]) expect(await statusOf(seen, session_id)).toEqual(gone)
    })

    it('are not looked for any more once they have ended', async () => {
      const { cairn, session: root } = await newRoot(store())
      const child = await sleeper()
      const { session_id } = await joined(cairn, root, 'x', identityOf(child))
      await cairn.session.end({ session: root, status: 'failed', reason: 'mine' })
      expect(await store().sql('SELECT host FROM session_processes WHERE root = $1', root)).toEqual([{ host: null }])
      await kill(child)
      const seen = await store().open()
      expect(await statusOf(seen, session_id)).toMatchObject({ status: 'cancelled' })
    })

    it('an ended session holds nothing, and what another claimed stays', async () => {
      const { cairn, session: root } = await newRoot(store())
      const [a, b] = [await newChild(cairn, root), await newChild(cairn, root)]
      await cairn.lease.claim({ session: a, name: 'one', ttl: '1h' })
      const kept = await cairn.lease.claim({ session: b, name: 'two', ttl: '1h' })
      await cairn.session.end({ session: a })
      await cairn.lease.claim({ session: root, name: 'one', ttl: '1s' })
      await cairn.lease.heartbeat({ session: b, name: 'two', token: kept.token })
      expect(await refused(cairn.lease.claim({ session: root, name: 'two', ttl: '1s' }))).toMatchObject({
        code: 'held_by_other',
      })
    })
  })
}
