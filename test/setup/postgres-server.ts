// A real Postgres server for tests and benchmarks, on a free loopback port, in a folder of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Binaries, candidates, type Owner, owner, temporaryRoot } from './postgres-binaries.ts'

/** `kill` is kill -9 of the server, as in a crash of the program; `immediate` recovers at the next start as well. */
export type StopMode = 'smart' | 'fast' | 'immediate' | 'kill'

export interface PostgresServer {
  readonly url: string
  readonly dir: string
  readonly port: number
  /** Stops the server and keeps its data: `startPostgres({ dir, port })` starts it again. */
  stop(mode?: StopMode): Promise<void>
  /** Stops the server and deletes its data. */
  remove(): Promise<void>
}

export interface PostgresOptions {
  port?: number
  /** A folder that an earlier server left; without it a new, empty server is made. */
  dir?: string
  /** Settings of postgresql.conf, such as `{ max_connections: 20 }`. */
  settings?: Record<string, string | number>
}

const SIGNALS = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const
const DEFAULTS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 500, fsync: 'on' }

const startMsMax = 30_000
const startAttemptsMax = 5

/**
 * Runs the server and watches its own standard input. That ends when the process which started it ends, however it
 * ends; then the server is stopped and, when it was made for that process, its folder is removed.
 */
const SUPERVISOR = `
folder=$1; keep=$2; shift 2
exec 3<&0
"$@" 3<&- &
server=$!
( cat <&3 >/dev/null; touch "$folder/abandoned"; kill -QUIT $server 2>/dev/null ) &
watcher=$!
exec 3<&-
wait $server
code=$?
if [ ! -e "$folder/abandoned" ]; then kill $watcher
elif [ $keep = keep ]; then rm "$folder/abandoned"
else rm -rf "$folder"; fi
exit $code
`

/** Folders made here: they go when this process goes, those of servers that still run by their supervisor. */
const made = new Set<string>()
const running = new Set<string>()
process.once('exit', () => {
  for (const dir of made) if (!running.has(dir)) rmSync(dir, { recursive: true, force: true })
})

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const account = owner()
  const dir = options.dir ?? makeFolder(account)
  const failures: string[] = []
  for await (const binaries of candidates(account)) {
    try {
      if (!existsSync(join(dir, 'data/PG_VERSION'))) await initialise(binaries, dir, account)
      return await startRetrying(binaries, dir, account, options)
    } catch (error) {
      failures.push(`${binaries.from}: ${error instanceof Error ? error.message : error}`)
      if (!options.dir) rmSync(join(dir, 'data'), { recursive: true, force: true })
    }
  }
  throw new Error(
    `No Postgres server could be started. Set DATABASE_URL to one that exists, or install one.\n${failures.join('\n')}`,
  )
}

function makeFolder(account: Owner): string {
  const dir = mkdtempSync(join(temporaryRoot(account), 'cairn-postgres-'))
  if (account) chownSync(dir, account.uid, account.gid)
  made.add(dir)
  return dir
}

async function initialise(binaries: Binaries, dir: string, account: Owner): Promise<void> {
  const password = join(dir, 'password')
  writeFileSync(password, randomBytes(16).toString('hex'), { mode: 0o600 })
  if (account) chownSync(password, account.uid, account.gid)
  const flags = ['--encoding=UTF8', '--locale=C', '--username=postgres', '--auth=scram-sha-256', '--no-sync']
  const run = promisify(execFile)
  const env = { ...process.env, LC_ALL: 'C' }
  await run(binaries.initdb, [`--pgdata=${join(dir, 'data')}`, `--pwfile=${password}`, ...flags], {
    ...account,
    env,
    cwd: dir,
  })
}

async function startRetrying(binaries: Binaries, dir: string, account: Owner, options: PostgresOptions) {
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort())
    try {
      return await start(binaries, dir, account, port, options.settings)
    } catch (error) {
      // Somebody took the port meanwhile, or the processes of a killed server are still going away.
      const passing = /already in use|shared memory|lock file/i.test(String(error))
      if (!passing || attempt === startAttemptsMax) throw error
      await sleep(200 * attempt)
    }
  }
}

async function start(
  binaries: Binaries,
  dir: string,
  account: Owner,
  port: number,
  settings: PostgresOptions['settings'],
): Promise<PostgresServer> {
  const all = Object.entries({ ...DEFAULTS, ...settings, port })
  const flags = all.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [binaries.postgres, '-D', join(dir, 'data'), ...flags]
  const log = openSync(join(dir, 'server.log'), 'w')
  const supervisor = spawn('sh', ['-c', SUPERVISOR, 'supervisor', dir, made.has(dir) ? 'drop' : 'keep', ...command], {
    ...account,
    cwd: dir,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['pipe', log, log],
    detached: true, // an interrupt typed at the terminal reaches the tests, which then stop the server
  })
  closeSync(log)
  const ended = new Promise<void>((resolve, reject) => {
    supervisor.once('exit', () => resolve())
    supervisor.once('error', reject)
  })
  const password = readFileSync(join(dir, 'password'), 'utf8')
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`
  await Promise.race([
    answers(url, supervisor),
    ended.then(() => {
      throw new Error(readFileSync(join(dir, 'server.log'), 'utf8'))
    }),
  ])
  running.add(dir)
  void ended.then(() => running.delete(dir))
  unreference(supervisor)
  const stop = async (mode: StopMode = 'fast') => {
    supervisor.ref()
    if (supervisor.exitCode === null && supervisor.signalCode === null) process.kill(serverPid(dir), SIGNALS[mode])
    await ended
  }
  const remove = async () => {
    await stop()
    rmSync(dir, { recursive: true, force: true })
    made.delete(dir)
  }
  return { url, dir, port, stop, remove }
}

async function answers(url: string, supervisor: ChildProcess): Promise<void> {
  const deadline = Date.now() + startMsMax
  for (;;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (supervisor.exitCode !== null) return
      if (Date.now() > deadline) throw new Error('the server does not answer', { cause: error })
      await sleep(20)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** A program that forgets to stop its server can still end; the supervisor stops it then. */
function unreference(supervisor: ChildProcess): void {
  supervisor.unref()
  const input = supervisor.stdin
  if (input && 'unref' in input && typeof input.unref === 'function') input.unref()
}

function serverPid(dir: string): number {
  return Number(readFileSync(join(dir, 'data/postmaster.pid'), 'utf8').split('\n')[0])
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A new database on the server of `url`, so that test files do not meet each other: empty, or as another one is. */
export async function freshDatabase(url: string, like = 'template0'): Promise<FreshDatabase> {
  const name = `cairn_test_${randomBytes(8).toString('hex')}`
  await runOnce(url, `create database ${name} template ${like} encoding 'UTF8'`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => runOnce(url, `drop database if exists ${name} with (force)`) }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
