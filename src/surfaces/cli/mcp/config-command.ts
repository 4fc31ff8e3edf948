import { CairnRefusal, Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { destinationHere } from '../../../home/destination.ts'
import { discover } from '../../../home/discovery.ts'
import { InstallTokenFile } from '../../../home/owner-token.ts'
import type { Profile } from '../../../serve-stdio.ts'
import { printJson, printNote, printOut } from '../output.ts'
import { isSet, type OwnArguments } from '../own-arguments.ts'
import type { Called } from '../registry/own-command.ts'
import { configurationFor } from './client-configuration.ts'
import type { Reached } from './client-entry.ts'
import type { Client } from './clients.ts'
import { filled } from './placeholders.ts'
import { placeholderOf, reachedOverStdio } from './reached-server.ts'

/** Where `cairn serve` listens unless it is told otherwise. */
const usualUrl = 'http://127.0.0.1:4747'

interface ConfigRequest {
  readonly client: Client
  readonly profile: Profile
  readonly transport: 'stdio' | 'http'
}

/** `cairn mcp config`: what an agent's program has to be told. Only the configuration is on stdout. */
export function runConfig(given: OwnArguments, request: ConfigRequest, { program, json }: Called): number {
  const reached =
    request.transport === 'http' ? overHttp(given, request) : reachedOverStdio(given, request.profile, program.file)
  const told = isSet(given, 'fill') ? filled(reached, process.env) : reached
  const { file, text, command } = configurationFor(request.client, told)
  if (json) {
    printJson({
      client: request.client,
      transport: request.transport,
      file,
      text,
      ...(command ? { command } : {}),
      ...told,
    })
    return 0
  }
  printOut(text)
  printNote(`Put this into ${file}.\n${command === undefined ? '' : `Or:  ${command}\n`}`)
  return 0
}

function overHttp(given: OwnArguments, { profile }: ConfigRequest): Reached {
  const config = loadConfig({ home: given.home, store: given.store })
  if (config instanceof Refusal) throw new CairnRefusal(config)
  const token = isSet(given, 'show-token') ? new InstallTokenFile(config.home).text() : placeholderOf('CAIRN_TOKEN')
  const url = new URL('/mcp', destinationHere({}).url ?? discover(config.home)?.url ?? usualUrl)
  if (profile !== 'agent') url.searchParams.set('profile', profile)
  const headers = {
    Authorization: `Bearer ${token}`,
    'X-Agent-Session-Id': placeholderOf('AGENT_SESSION_ID'),
    'X-Agent-Session-Name': placeholderOf('AGENT_SESSION_NAME'),
  }
  return { url: url.href, headers }
}
