// The benchmarks: npm run bench -- [--quick] [--store sqlite|postgres] [SCENARIO…]
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commit, machine } from './machine.ts'
import { type Absent, heading, line, padded, type Report, type Result, resultOf, write } from './report.ts'
import type { Context, Scenario } from './scenario.ts'
import { adopting } from './scenarios/adopting.ts'
import { appendLarge } from './scenarios/append-large.ts'
import { attackers } from './scenarios/attacks.ts'
import { bytes } from './scenarios/bytes.ts'
import { coldRead } from './scenarios/cold-read.ts'
import { conversations } from './scenarios/conversations.ts'
import { crdt } from './scenarios/crdt.ts'
import { feed } from './scenarios/feed.ts'
import { forks } from './scenarios/forks.ts'
import { history } from './scenarios/history.ts'
import { idleMemory } from './scenarios/idle-memory.ts'
import { incrementDeep } from './scenarios/increment-deep.ts'
import { incrementMany } from './scenarios/increment-many.ts'
import { incrementOne } from './scenarios/increment-one.ts'
import { langgraph } from './scenarios/langgraph.ts'
import { mcp } from './scenarios/mcp.ts'
import { patches } from './scenarios/patches.ts'
import { planning } from './scenarios/planning.ts'
import { postgres, postgresVersion } from './scenarios/postgres.ts'
import { manyProcesses } from './scenarios/processes.ts'
import { readKey } from './scenarios/read-key.ts'
import { readPast } from './scenarios/read-past.ts'
import { server } from './scenarios/server.ts'
import { serverFeed } from './scenarios/server-feed.ts'
import { serverIdle } from './scenarios/server-idle.ts'
import { serverPage } from './scenarios/server-page.ts'
import { setup } from './scenarios/setup.ts'
import { tasks } from './scenarios/tasks.ts'
import { tools } from './scenarios/tools.ts'
import { upkeep } from './scenarios/upkeep.ts'
import { waiters } from './scenarios/waiters.ts'

const all: readonly Scenario[] = [
  ...incrementMany,
  incrementOne,
  ...bytes,
  readKey,
  ...incrementDeep,
  appendLarge,
  ...patches,
  ...crdt,
  ...readPast,
  ...history,
  ...forks,
  ...tasks,
  planning,
  ...conversations,
  langgraph,
  adopting,
  ...manyProcesses,
  ...feed,
  ...upkeep,
  ...postgres,
  ...server,
  ...serverFeed,
  serverIdle,
  serverPage,
  ...tools,
  ...mcp,
  coldRead,
  setup,
  idleMemory,
  waiters,
  ...attackers,
]

const sizes = {
  whole: { quick: false, rounds: 9, roundMs: 1000, starts: 21 },
  quick: { quick: true, rounds: 7, roundMs: 200, starts: 7 },
}

interface Asked {
  readonly quick: boolean
  readonly scenarios: readonly Scenario[]
}

function asked(): Asked {
  const options = { quick: { type: 'boolean' }, store: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const { quick = false, store } = values
  const unknown = positionals.find((name) => !all.some((scenario) => scenario.name.startsWith(name)))
  if (unknown !== undefined || (store !== undefined && store !== 'sqlite' && store !== 'postgres')) {
    const names = all.map(({ name }) => name).join(', ')
    throw new Error(`usage: npm run bench -- [--quick] [--store sqlite|postgres] [SCENARIO…]; scenarios: ${names}`)
  }
  const chosen = all.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.startsWith(part)))
  return { quick, scenarios: chosen.filter((scenario) => store === undefined || scenario.store === store) }
}

async function measure(scenario: Scenario, quick: boolean): Promise<Result | Absent> {
  const { name, about } = scenario
  const skipped = scenario.skip?.()
  if (skipped !== undefined) return { name, about, skipped }
  const ends: (() => unknown)[] = []
  const context: Context = {
    ...sizes[quick ? 'quick' : 'whole'],
    folder() {
      const path = mkdtempSync(join(tmpdir(), 'cairn-bench-'))
      chmodSync(path, 0o700)
      ends.push(() => rmSync(path, { recursive: true, force: true }))
      return path
    },
    atEnd: (undo) => ends.push(undo),
    say: (text) => process.stderr.write(`  ${name}: ${text}\n`),
  }
  try {
    return resultOf(scenario, await scenario.run(context))
  } catch (error) {
    process.exitCode = 1
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`)
    return { name, about, skipped: 'it broke' }
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

const { quick, scenarios } = asked()
const results: (Result | Absent)[] = []
console.log(heading())
for (const scenario of scenarios) {
  const result = await measure(scenario, quick)
  results.push(result)
  console.log(padded(line(result)))
}
const report: Report = {
  date: new Date().toISOString(),
  commit: commit(),
  quick,
  machine: machine(),
  postgres: postgresVersion(),
  results,
}
console.log(`written to ${write(report, !quick && scenarios.length === all.length)}`)
