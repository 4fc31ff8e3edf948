import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { destinationHere } from '../../../home/destination.ts'
import type { Profile } from '../../../serve-stdio.ts'
import type { Reached } from './client-entry.ts'

/** What says which session is meant; replaced when an agent is started. */
const sessionVariables = ['AGENT_SESSION_ID', 'AGENT_SESSION_NAME', 'AGENT_ROOT_SESSION_ID']

/** What a command line says of the place of the store. */
export interface StorePlace {
  readonly home: string | undefined
  readonly store: string | undefined
}

export const placeholderOf = (variable: string) => `\${${variable}}`

/** How a client starts this very program, with the data folder that is meant here. */
export function reachedOverStdio(
  place: StorePlace,
  profile: Profile,
  program: URL,
): Extract<Reached, { command: string }> {
  const args = [realpathSync(fileURLToPath(program)), 'mcp', ...(profile === 'agent' ? [] : ['--profile', profile])]
  const home = place.home ?? (process.env.CAIRN_HOME || undefined)
  const { store, token, url, serverFile } = destinationHere({ store: place.store })
  const env = {
    ...(home === undefined ? {} : { CAIRN_HOME: resolve(home) }),
    // The URL of a Postgres may hold its password.
    ...(store === undefined ? {} : { CAIRN_STORE: store.startsWith('sqlite:') ? store : placeholderOf('CAIRN_STORE') }),
    ...(token === undefined ? {} : { CAIRN_TOKEN: placeholderOf('CAIRN_TOKEN') }),
    ...(url === undefined ? {} : { CAIRN_URL: url }),
    ...(serverFile === undefined ? {} : { CAIRN_SERVER_FILE: serverFile }),
    ...Object.fromEntries(sessionVariables.map((variable) => [variable, placeholderOf(variable)])),
  }
  return { command: process.execPath, args, env }
}
