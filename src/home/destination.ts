import { existsSync } from 'node:fs'
import { CairnRefusal, Refusal } from '../domain/log/refusal.ts'
import { loadConfig } from './config.ts'

/** Whom a process asks: the store of a data folder and the server that has it, or only what a token is for. */
export interface Destination {
  readonly home: string | undefined
  readonly store: string | undefined
  /** Where it is given, whoever holds it reaches no further than it does: only a server is asked, never the store. */
  readonly token: string | undefined
  /** The server that the token is for; the one that runs here unless given. */
  readonly url: string | undefined
  /** Where an agent that Cairn started finds the server once it is no longer there. */
  readonly serverFile: string | undefined
}

/** What a command line says of it, and else its environment. */
export function destinationHere({ home, store }: Partial<Pick<Destination, 'home' | 'store'>>): Destination {
  const { CAIRN_STORE, CAIRN_TOKEN, CAIRN_URL, CAIRN_SERVER_FILE } = process.env
  return {
    home,
    store: store ?? (CAIRN_STORE || undefined),
    token: CAIRN_TOKEN || undefined,
    url: CAIRN_URL || undefined,
    serverFile: CAIRN_SERVER_FILE || undefined,
  }
}

/** Whether there is a store that can be asked: looking for something must not make one. Throws refusals. */
export function hasStore({ home, store, token }: Destination): boolean {
  const config = loadConfig({ home, store })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  if (token !== undefined || !config.store.startsWith('sqlite:')) return true
  return existsSync(config.store.slice('sqlite:'.length))
}
