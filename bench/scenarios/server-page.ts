import { createRoot, openStore } from '../library.ts'
import type { Load, Loaded } from '../load.ts'
import { interleaved } from '../measure.ts'
import { atMost, type Context, manyCallers, type Scenario } from '../scenario.ts'
import { type ServedStore, serveStore } from '../served.ts'
import { startWorker } from '../worker.ts'

const pageSize = 50
const rootCount = 10_000

async function serveRoots(context: Context, count: number): Promise<ServedStore> {
  const home = context.folder()
  const cairn = await openStore(context, { home })
  let made = 0
  const loop = async () => {
    while (made < count) {
      made += 1
      await createRoot(cairn)
    }
  }
  await Promise.all(Array.from({ length: manyCallers }, loop))
  await cairn.close()
  return serveStore(context, home)
}

/** Where a page starts that has so many before it. */
async function cursorAfter(served: ServedStore, pages: number): Promise<string> {
  let cursor: string | null = null
  for (let page = 0; page < pages; page++) {
    const input: object = { limit: pageSize, ...(cursor === null ? {} : { cursor }) }
    cursor = (await served.call<{ next_cursor: string | null }>('session.list', input)).next_cursor
  }
  if (cursor === null) throw new Error('there are fewer pages than roots')
  return cursor
}

export const serverPage: Scenario = {
  name: 'server-page',
  about: `a page of ${pageSize} roots from the middle of 10 000, over HTTP`,
  against: `the only page of ${pageSize}`,
  store: 'sqlite',
  unit: 'ms',
  target: atMost(2),
  async run(context) {
    const [many, few] = [await serveRoots(context, rootCount), await serveRoots(context, pageSize)]
    const load = await startWorker<Load, Loaded>(context, 'load')
    const msOfPage = async ({ url, headers }: ServedStore, query: string) => {
      const request = { method: 'GET', path: `/sessions?limit=${pageSize}${query}`, headers } as const
      return 1000 / (await load({ url, requests: [request], ms: context.roundMs })).rate
    }
    const cursor = await cursorAfter(many, rootCount / pageSize / 2)
    return interleaved(
      context.rounds,
      () => msOfPage(many, `&cursor=${cursor}`),
      () => msOfPage(few, ''),
    )
  },
}
