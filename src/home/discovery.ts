import type { Stats } from 'node:fs'
import { resolve } from 'node:path'
import { Refusal } from '../domain/log/refusal.ts'
import { type ConfigOptions, loadConfig } from './config.ts'
import { isOwnersAlone } from './file-modes.ts'
import { readLiving, removeLiving, writeLiving } from './living-file.ts'
import { isAlive, type Living } from './process-life.ts'

/** Where a running server is found; `server.json` of its data folder. */
export interface Discovered extends Living {
  readonly url: string
  readonly started_at: string
  /** As `storeName` has it. */
  readonly store: string
  /** Where servers of this data folder were that died before this one: agents that were told of those are served here. */
  readonly replaces?: readonly string[] | undefined
}

/** Where a server says of itself; agents are told of it, wherever they stand. */
export const serverFile = (home: string) => resolve(home, 'server.json')

/** One name for one store, without the secrets of its URL. */
export function storeName(store: string): string {
  if (store.startsWith('sqlite:')) return `sqlite:${resolve(store.slice('sqlite:'.length))}`
  const { protocol, username, host, pathname } = new URL(store)
  return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`
}

/** The living server of a data folder. A file that a dead one left behind is as good as none. */
export function discover(home: string): Discovered | undefined {
  const found = readDiscovery(serverFile(home))
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

/** What the last server of a data folder wrote, if that has died since: one that ends in order takes its file away. */
export function deadServer(home: string): Discovered | undefined {
  const found = readDiscovery(serverFile(home))
  return found !== undefined && !isAlive(found) ? found : undefined
}

/** The living server that a file names, wherever that is; of a file that is not the user's alone, none. */
export function serverIn(path: string): Discovered | undefined {
  const found = readDiscovery(path, isOwnersAlone)
  return found !== undefined && isAlive(found) ? found : undefined
}

function readDiscovery(path: string, isMeant?: (found: Stats) => boolean): Discovered | undefined {
  return readLiving<Discovered>(path, { isWhole: ({ url }) => typeof url === 'string', ...(isMeant && { isMeant }) })
}

/** A living server's file stays. */
export function announce(home: string, server: Discovered): void {
  if (discover(home) === undefined) writeLiving(serverFile(home), server)
}

/** Removes the file, if it is the one of this process. */
export function withdraw(home: string, server: Discovered): void {
  removeLiving(serverFile(home), server)
}
