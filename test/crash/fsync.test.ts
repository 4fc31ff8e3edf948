// Power loss cannot be tried by killing a process: what it wrote stays in the memory of the system. So the system calls
// of the writer are watched: no acknowledgement before a sync of the write-ahead log.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshStore, STORES } from '../setup/stores.ts'
import { strace } from '../setup/strace.ts'
import { judge, TRACED } from './trace.ts'
import { runWriter } from './writing.ts'

const [sqlite] = STORES.filter(({ name }) => name === 'SQLite')
if (sqlite === undefined) throw new Error('there is no SQLite among the stores')

const tracing = [...strace, ...TRACED, '-o']
const tried = spawnSync('strace', [...tracing.slice(1), '/dev/null', 'true'])
const why = tried.error ? 'strace is not installed' : 'strace may not trace here'
const unable = tried.status !== 0

describe('what is acknowledged is on disk', () => {
  const store = freshStore(sqlite)

  async function traceOf(callers: number, writesOfCaller: number, env: Record<string, string> = {}): Promise<string> {
    const cairn = await store().open()
    const { session_id: session } = (await cairn.session.create({ topic: 'fsync' })) as { session_id: string }
    await store().close()
    const file = join(store().home, 'trace')
    const job = { options: store().options, session, round: 0, callers, writesOfCaller, repeat: [] }
    const { code, errors } = await runWriter(job, { under: [...tracing, file], env })
    expect(code, errors).toBe(0)
    return readFileSync(file, 'utf8')
  }

  describe.each([
    { callers: 1, writes: 100 },
    { callers: 64, writes: 10 },
  ])('with $callers callers', ({ callers, writes }) => {
    it('S0-3 U20 every answer comes after the fsync of its write', async (context) => {
      if (unable) context.skip(why)
      const trace = await traceOf(callers, writes)
      expect(judge(trace)).toEqual({ acks: callers * writes, early: [] })
      const withoutSyncs = trace.replace(/^.*\bf(?:data)?sync\(.*$/gm, '')
      expect(judge(withoutSyncs).early).toHaveLength(callers * writes)
    })

    it('finds answers that come before it when they are planted', async (context) => {
      if (unable) context.skip(why)
      const { acks, early } = judge(await traceOf(callers, writes, { CAIRN_FAULT: 'ack-before-commit' }))
      expect(acks).toBe(callers * writes)
      // How many depends on how the calls fall into groups; without the fault it is none.
      expect(early.length).toBeGreaterThan(0)
    })
  })
})
