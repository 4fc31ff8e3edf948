import { statSync } from 'node:fs'
import { join } from 'node:path'
import { openCairn } from '../../src/index.ts'
import { Bare } from '../bare.ts'
import { storePath } from '../library.ts'
import { interleaved, type Measured } from '../measure.ts'
import { type Context, manyCallers, type Scenario } from '../scenario.ts'

const increments = 20_000
const keys = Array.from({ length: manyCallers }, (_, at) => `counter-${100 + at}`)

/** Bytes that a closed file has grown by, for each increment. */
async function growth(path: string, write: () => unknown): Promise<number> {
  await write()
  return statSync(path).size / increments
}

async function ours(home: string, withRequests: boolean): Promise<void> {
  const cairn = await openCairn({ home })
  const { session_id: session } = await cairn.session.create({ topic: 'benchmark' })
  let asked = 0
  for (let made = 0; made < increments; made += keys.length) {
    const calls = keys.map((key) => {
      asked += 1
      const request = withRequests ? { request_id: String(asked).padStart(32, '0') } : {}
      return cairn.state.increment({ session, key, ...request })
    })
    await Promise.all(calls)
  }
  await cairn.close()
}

function bare(path: string, withRequests: boolean): void {
  const store = Bare.create(path)
  for (let made = 0; made < increments; made += keys.length) store.increment(keys, withRequests)
  store.close()
}

async function run(context: Context, withRequests: boolean): Promise<Measured> {
  return interleaved(
    1,
    () => {
      const home = context.folder()
      return growth(storePath(home), () => ours(home, withRequests))
    },
    () => {
      const path = join(context.folder(), 'bare.db')
      return growth(path, () => bare(path, withRequests))
    },
  )
}

const shared = { against: 'the straightforward layout', store: 'sqlite', unit: 'bytes' } as const

export const bytes: readonly Scenario[] = [
  {
    ...shared,
    name: 'bytes-increment',
    about: `bytes of the file for each of ${increments} increments, 64 callers, a key each`,
    target: { of: 'ours', is: 'at most', limit: 260 },
    run: (context) => run(context, false),
  },
  {
    ...shared,
    name: 'bytes-requests',
    about: 'the same with a request id each time',
    target: { of: 'ours', is: 'at most', limit: 450 },
    run: (context) => run(context, true),
  },
]
