import { installId, readToken } from '../../../domain/access/token.ts'
import { destinationHere } from '../../../home/destination.ts'
import { actorHere, hasOwnSession, meantHere } from '../../../home/session-meant.ts'
import { type Given, readArguments } from '../arguments.ts'
import { flagsByName } from '../flags.ts'
import { type OwnCommand, ownCommand } from '../own-commands.ts'
import { filled } from '../request.ts'
import { ownUsage, usageError } from '../usage.ts'
import { clients } from './clients.ts'

export interface Program {
  readonly version: string
  /** Its file. */
  readonly file: URL
}

/** `cairn mcp`: speaks the protocol until the other side ends. `cairn mcp config`: says how a client is told of it. */
export async function runMcp(rest: readonly string[], json: boolean, { version, file }: Program): Promise<number> {
  const command = ownCommand('mcp') as OwnCommand
  const usage = `Usage: ${ownUsage(command)}`
  const given = readArguments(rest, flagsByName([], command.flags), usage)
  const among = <Name extends string>(flag: string, names: readonly [Name, ...Name[]]) =>
    chosen(given, flag, names, usage)
  const profile = among('profile', ['agent', 'orchestrator'])
  const [place, ...others] = given.places
  if (others.length > 0 || (place !== undefined && place !== 'config')) {
    throw usageError(`cairn mcp takes no ${JSON.stringify(others[0] ?? place)}.`, usage)
  }
  if (place === 'config') {
    const { runConfig } = await import('./config-command.ts')
    const request = { client: among('client', clients), transport: among('transport', ['stdio', 'http']), profile }
    return runConfig(given, request, file, json)
  }
  const { serveStdio } = await import('../../../serve-stdio.ts')
  const destination = destinationHere({ home: filled(given, 'home'), store: filled(given, 'store') })
  const { token } = destination
  const isOwner = token === undefined || readToken(token)?.id === installId
  await serveStdio({
    ...destination,
    meant: { ...meantHere(), actor: actorHere('mcp') },
    isSomebody: hasOwnSession() || !isOwner,
    allRoots: given.flags.get('all-roots') === 'true',
    profile,
    version,
  })
  // Whatever is still open is nobody's any more.
  process.exit(0)
}

/** The first of the names is meant where none is given. */
function chosen<Name extends string>(
  { flags }: Given,
  flag: string,
  names: readonly [Name, ...Name[]],
  usage: string,
): Name {
  const named = flags.get(flag)
  const found = named === undefined ? names[0] : names.find((name) => name === named)
  if (found === undefined) throw usageError(`--${flag} must be one of ${names.join(', ')}.`, usage)
  return found
}
