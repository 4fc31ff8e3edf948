import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bootTime } from '../clock.ts'
import { Refusal } from '../domain/log/refusal.ts'
import { type ConfigOptions, loadConfig } from './config.ts'
import { mayRun, startOf } from './process-life.ts'

/** Where a running server is found; `server.json` of its data folder. */
export interface Discovered {
  readonly pid: number
  /** Tells this process from a later one that was given the same pid; absent where the system does not say. */
  readonly life?: string | undefined
  readonly url: string
  readonly started_at: string
  /** As `storeName` has it. */
  readonly store: string
}

const fileOf = (home: string) => join(home, 'server.json')

/** One name for one store, without the secrets of its URL. */
export function storeName(store: string): string {
  if (store.startsWith('sqlite:')) return `sqlite:${resolve(store.slice('sqlite:'.length))}`
  const { protocol, username, host, pathname } = new URL(store)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** The living server of a data folder. A file that a dead one left behind is as good as none. */
export function discover(home: string): Discovered | undefined {
  const found = readDiscovery(home)
  return found !== undefined && isAlive(found) ? found : undefined
}

/** A living server, and the data folder that it was found in. */
export interface RunningServer extends Discovered {
  readonly home: string
}

/**
 * The server that has the store of a process open, if there is one that can be asked: the certificate of one with TLS is made
 * out for the names of other machines.
 */
export function serverFor(options: ConfigOptions): RunningServer | undefined {
  const config = loadConfig(options)
  if (config instanceof Refusal) return undefined
  const server = discover(config.home)
  if (server === undefined || !server.url.startsWith('http:')) return undefined
  return isSameStore(config.store, server.store) ? { ...server, home: config.home } : undefined
}

function isSameStore(store: string, served: string): boolean {
  try {
    return storeName(store) === served
  } catch {
    // No URL at all: whoever opens it says so.
    return false
  }
}

function readDiscovery(home: string): Discovered | undefined {
  try {
    const found = JSON.parse(readFileSync(fileOf(home), 'utf8'))
    return Number.isSafeInteger(found?.pid) && typeof found.url === 'string' ? found : undefined
  } catch {
    return undefined
  }
}

export function isAlive({ pid, life }: Pick<Discovered, 'pid' | 'life'>): boolean {
  return mayRun(pid) && life === lifeOf(pid)
}

/** When the machine and the process on it were started, as far as the system says. */
export function lifeOf(pid: number): string | undefined {
  const started = startOf(pid)
  return started === undefined || started === 'ended' ? started : `${bootTime().boot} ${started}`
}

/** Whoever reads it finds a whole file or none. A living server's file stays. */
export function announce(home: string, server: Discovered): void {
  if (discover(home) !== undefined) return
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const temporary = `${fileOf(home)}.${server.pid}`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, `${JSON.stringify(server)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, fileOf(home))
}

/** Removes the file, if it is the one of this process. */
export function withdraw(home: string, { pid, life }: Discovered): void {
  const found = readDiscovery(home)
  if (found?.pid === pid && found.life === life) rmSync(fileOf(home), { force: true })
}
