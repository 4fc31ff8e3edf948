import { type ChildProcess, fork } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.ts'
import { type Actor, startActors } from '../setup/processes.ts'
import { programOf } from '../setup/program.ts'
import { serveHere } from '../setup/serve-here.ts'
import { freshStore, STORES } from '../setup/stores.ts'
import { freshProject, mirrorOf } from './folders.ts'

const changes = 200
const rounds = process.env.CAIRN_LONG ? 50 : 4

for (const kind of STORES) {
  describe(`a folder that many write to, with a store on ${kind.name}`, () => {
    const store = freshStore(kind)
    const project = freshProject()

    async function made() {
      const cairn = await store().open()
      const { session_id: session, dir } = await cairn.session.create({ topic: 'Work', project_dir: project() })
      return { cairn, session, dir: dir as string }
    }

    async function hashesOf(session: string) {
      const cairn = await store().open()
      const hashes: string[] = []
      for (let since = 0; ; ) {
        const { events, has_more } = await cairn.log.list({ session, since, limit: 1000 })
        hashes.push(...(events as { hash: string }[]).map(({ hash }) => hash))
        since += events.length
        if (!has_more) return hashes
      }
    }

    it('S4-18 two processes and a server change it 200 times each: 600 changes, and the mirror is the log', async () => {
      const { cairn, session, dir } = await made()
      const [first, second] = (await startActors(store().options, [session, session])) as [Actor, Actor]
      const serving = await serveHere({ ...store().options, port: 0 })
      const token = readFileSync(join(store().home, 'token'), 'utf8').trim()
      const client = connect({ url: serving.discovered.url, token })
      const inputs = Array.from({ length: changes }, () => ({ session, key: 'n' }))
      const byServer = async () => {
        for (const input of inputs) await client.state.increment(input)
      }
      await Promise.all([first.call('state.increment', [inputs]), second.call('state.increment', [inputs]), byServer()])
      await client.close()
      await serving.stop()
      expect((await cairn.state.get({ session, key: 'n' })).value).toBe(3 * changes)
      const log = await hashesOf(session)
      // Each writes behind its own commits: the last of them has written all.
      await caughtUp(dir, log.length)
      expect(mirrorOf(dir).map(({ hash }) => hash)).toEqual(log)
    })

    it(`a process that is killed while it writes leaves a folder that catches up, ${rounds} times`, async () => {
      const { session, dir } = await made()
      await store().close()
      for (let round = 0; round < rounds; round++) {
        const child = await started(store().options)
        child.send({
          task: {
            do: 'call',
            operation: 'state.increment',
            inputs: [Array.from({ length: 5000 }, () => ({ session, key: 'n' }))],
          },
        })
        await caughtUp(dir, mirrorOf(dir).length + 20 + round * 7)
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGKILL')
        await ended
        const cairn = await store().open()
        await cairn.state.increment({ session, key: 'n' })
        const log = await hashesOf(session)
        await store().close()
        expect(mirrorOf(dir).map(({ hash }) => hash)).toEqual(log)
      }
    })
  })
}

async function started(options: object): Promise<ChildProcess> {
  const child = fork(await programOf('test/setup/actor.ts'), [JSON.stringify(options)], { execArgv: [] })
  await new Promise((resolve) => child.once('message', resolve))
  return child
}

/** Until the mirror has so many whole lines. */
async function caughtUp(dir: string, lines: number): Promise<void> {
  while (wholeLines(dir) < lines) await new Promise((resolve) => setTimeout(resolve, 5))
}

function wholeLines(dir: string): number {
  const [name] = readdirSync(join(dir, 'log')) as [string]
  return readFileSync(join(dir, 'log', name), 'utf8').split('\n').length - 2
}
