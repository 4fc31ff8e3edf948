import { join } from 'node:path'
import { type Cairn, openCairn } from '../src/index.ts'
import type { Context } from './scenario.ts'

/** A store opened through the library, and a root in it. */
export interface Opened {
  readonly cairn: Cairn
  readonly session: string
}

/** Room for what is added to a value that is at the usual limit already. */
const limits = { valueBytes: 64 * 1024 * 1024, keys: 100_000 }

/** Opens the store of a folder, or of a Postgres URL, with a new root. */
export async function newRoot(context: Context, place: { home?: string; store?: string } = {}): Promise<Opened> {
  const cairn = await openStore(context, place)
  return { cairn, session: await createRoot(cairn) }
}

export async function openStore(context: Context, place: { home?: string; store?: string }): Promise<Cairn> {
  const cairn = await openCairn({ home: context.folder(), limits, ...place })
  context.atEnd(() => cairn.close())
  return cairn
}

export async function createRoot(cairn: Cairn): Promise<string> {
  const { session_id } = await cairn.session.create({ topic: 'benchmark' })
  return session_id
}

export function storePath(home: string): string {
  return join(home, 'cairn.db')
}
