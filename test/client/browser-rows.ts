// Bundled for the browser test: a page that keeps the rows of a root by itself.

import type * as client from '../../src/client/index.ts'
import type { ConnectOptions } from '../../src/client/index.ts'
import { partList } from '../../src/domain/parts.ts'
import { EvolvingRows, type RowsRead } from '../setup/evolving-rows.ts'

/** Takes the rows, follows until the key `over` is set, and compares with the server's rows of that point. */
export async function keepRows({ connect }: typeof client, options: ConnectOptions) {
  const cairn = connect(options)
  const kept: Record<string, EvolvingRows> = {}
  const first = await cairn.log.rows({ part: 'sessions' })
  for (const part of partList) {
    const read = await cairn.log.rows({ part: part.name, at: first.seq })
    kept[part.name] = new EvolvingRows(part, read as RowsRead)
  }
  await cairn.state.set({ key: 'ready', value: true })
  let heard = 0
  for await (const event of cairn.follow({ since: first.seq })) {
    heard += 1
    for (const rows of Object.values(kept)) rows.apply(event)
    if (event.key === 'over') break
  }
  const found: Record<string, { differences: string[]; rows: number }> = {}
  for (const [part, rows] of Object.entries(kept)) {
    const read = (await cairn.log.rows({ part, at: rows.seq })) as RowsRead
    const count = Object.values(read.tables).reduce((sum, { length }) => sum + length, 0)
    found[part] = { differences: rows.differences(read), rows: count }
  }
  await cairn.close()
  return { heard, found }
}
