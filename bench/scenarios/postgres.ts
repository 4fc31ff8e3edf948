import { freshDatabase, startPostgres } from '../../test/setup/postgres-server.ts'
import { BarePostgres } from '../bare-postgres.ts'
import { createRoot, openStore } from '../library.ts'
import { interleaved, type Measured, rateOfCallers } from '../measure.ts'
import { atLeast, type Context, manyCallers, type Scenario } from '../scenario.ts'

/** As many as the store itself opens. */
const connections = 16

let version: string | null = null

/** Of the server that was measured; null when none was. */
export function postgresVersion(): string | null {
  return version
}

async function run(context: Context, roots: number): Promise<Measured> {
  const server = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on' } })
  context.atEnd(() => server.remove())
  const [own, other] = [await freshDatabase(server.url), await freshDatabase(server.url)]
  const cairn = await openStore(context, { store: own.url })
  const bare = await BarePostgres.create(other.url, connections)
  context.atEnd(() => bare.close())
  version = await bare.version()
  const sessions = await Promise.all(Array.from({ length: roots }, () => createRoot(cairn)))
  const ask = (caller: number) =>
    cairn.state.increment({ session: sessions[caller % roots] as string, key: `counter-${100 + caller}` })
  return interleaved(
    context.rounds,
    () => rateOfCallers(context.roundMs, manyCallers, ask),
    () => bare.rate(context.roundMs, manyCallers),
  )
}

const against = `pg, one upsert each, on ${connections} connections`
const shared = { against, store: 'postgres', unit: '/s' } as const

export const postgres: readonly Scenario[] = [
  {
    ...shared,
    name: 'postgres-one-root',
    about: 'durable increments in Postgres, 64 callers, one root',
    target: atLeast(1),
    run: (context) => run(context, 1),
  },
  {
    ...shared,
    name: 'postgres-64-roots',
    about: 'durable increments in Postgres, 64 callers, a root each',
    target: atLeast(0.35),
    run: (context) => run(context, manyCallers),
  },
]
