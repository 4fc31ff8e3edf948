import { type Client, clients } from '../mcp/clients.ts'
import type { StorePlace } from '../mcp/reached-server.ts'
import { argumentsOf, isSet } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { usageError } from '../usage.ts'
import { type Scope, scopes, usualScope } from './targets.ts'

/** What a line of `cairn setup` asks for. */
export interface SetupRequest extends StorePlace {
  readonly client: Client
  readonly scope: Scope
  /** Whether the line says which scope is meant. */
  readonly isScopeNamed: boolean
  /** Set up for all projects of the user, whatever this one is. */
  readonly isForAll: boolean
  readonly isDryRun: boolean
  readonly isRemoval: boolean
  readonly isAgreed: boolean
  readonly isTried: boolean
}

export function setupRequest(called: Called): SetupRequest {
  const given = argumentsOf(called)
  const { home, store, usage } = given
  const [place] = given.places
  if (place === undefined) throw usageError(`\`cairn setup\` needs a program: ${clients.join(', ')}.`, usage)
  const client = clients.find((name) => name === place)
  if (client === undefined) {
    throw usageError(`Unknown program ${JSON.stringify(place)}. Known: ${clients.join(', ')}.`, usage)
  }
  const named = given.flags.get('scope')
  const scope = named === undefined ? usualScope(client) : scopes.find((each) => each === named)
  if (scope === undefined) throw usageError(`--scope must be one of ${scopes.join(', ')}.`, usage)
  return {
    client,
    scope,
    isScopeNamed: named !== undefined,
    isForAll: named === 'user',
    isDryRun: isSet(given, 'dry-run'),
    isRemoval: isSet(given, 'remove'),
    isAgreed: isSet(given, 'yes'),
    isTried: !isSet(given, 'no-check'),
    home,
    store,
  }
}
