import { installId, readToken } from '../../../domain/access/token.ts'
import { destinationHere } from '../../../home/destination.ts'
import { actorHere, hasOwnSession, meantHere } from '../../../home/session-meant.ts'
import { argumentsOf, isSet, type OwnArguments } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { usageError } from '../usage.ts'
import { clients } from './clients.ts'

/** `cairn mcp`: speaks the protocol until the other side ends. `cairn mcp config`: says how a client is told of it. */
export async function runMcp(called: Called): Promise<number> {
  const given = argumentsOf(called)
  const among = <Name extends string>(flag: string, names: readonly [Name, ...Name[]]) => chosen(given, flag, names)
  const profile = among('profile', ['agent', 'orchestrator'])
  const [place] = given.places
  if (place !== undefined && place !== 'config')
    throw usageError(`cairn mcp takes no ${JSON.stringify(place)}.`, given.usage)
  if (place === 'config') {
    const { runConfig } = await import('./config-command.ts')
    const request = { client: among('client', clients), transport: among('transport', ['stdio', 'http']), profile }
    return runConfig(given, request, called)
  }
  const { serveStdio } = await import('../../../serve-stdio.ts')
  const destination = destinationHere(given)
  const { token } = destination
  const isOwner = token === undefined || readToken(token)?.id === installId
  await serveStdio({
    ...destination,
    meant: { ...meantHere(), actor: actorHere('mcp') },
    isSomebody: hasOwnSession() || !isOwner,
    allRoots: isSet(given, 'all-roots'),
    profile,
    version: called.program.version,
  })
  // Whatever is still open is nobody's any more.
  process.exit(0)
}

/** The first of the names is meant where none is given. */
function chosen<Name extends string>(
  { flags, usage }: OwnArguments,
  flag: string,
  names: readonly [Name, ...Name[]],
): Name {
  const named = flags.get(flag)
  const found = named === undefined ? names[0] : names.find((name) => name === named)
  if (found === undefined) throw usageError(`--${flag} must be one of ${names.join(', ')}.`, usage)
  return found
}
