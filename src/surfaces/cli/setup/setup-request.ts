import { readArguments } from '../arguments.ts'
import { flagsByName } from '../flags.ts'
import { type Client, clients } from '../mcp/clients.ts'
import type { StorePlace } from '../mcp/reached-server.ts'
import { type OwnCommand, ownCommand } from '../own-commands.ts'
import { filled } from '../request.ts'
import { ownUsage, usageError } from '../usage.ts'
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

export function setupRequest(rest: readonly string[]): SetupRequest {
  const command = ownCommand('setup') as OwnCommand
  const usage = `Usage: ${ownUsage(command)}`
  const given = readArguments(rest, flagsByName([], command.flags), usage)
  const [place, ...others] = given.places
  if (place === undefined) throw usageError(`\`cairn setup\` needs a program: ${clients.join(', ')}.`, usage)
  const client = clients.find((name) => name === place)
  if (client === undefined) {
    throw usageError(`Unknown program ${JSON.stringify(place)}. Known: ${clients.join(', ')}.`, usage)
  }
  if (others.length > 0) throw usageError(`Unexpected argument ${JSON.stringify(others[0])}.`, usage)
  const named = given.flags.get('scope')
  const scope = named === undefined ? usualScope(client) : scopes.find((each) => each === named)
  if (scope === undefined) throw usageError(`--scope must be one of ${scopes.join(', ')}.`, usage)
  const isSet = (flag: string) => given.flags.get(flag) === 'true'
  return {
    client,
    scope,
    isScopeNamed: named !== undefined,
    isForAll: named === 'user',
    isDryRun: isSet('dry-run'),
    isRemoval: isSet('remove'),
    isAgreed: isSet('yes'),
    isTried: !isSet('no-check'),
    home: filled(given, 'home'),
    store: filled(given, 'store'),
  }
}
