import { destinationHere } from '../../../home/destination.ts'
import type { ServeOptions } from '../../../serve.ts'
import { type Given, readArguments } from '../arguments.ts'
import { flagsByName } from '../flags.ts'
import { type OwnCommand, ownCommand } from '../own-commands.ts'
import { filled } from '../request.ts'
import { ownUsage, usageError } from '../usage.ts'
import { integerOf } from '../values.ts'
import { isBlocked } from './blocked-ports.ts'

/** What stands after a command that takes flags only. */
export function flagsGiven(word: 'serve' | 'up' | 'ui' | 'down' | 'version', rest: readonly string[]): Given {
  const command = ownCommand(word) as OwnCommand
  const usage = `Usage: ${ownUsage(command)}`
  const given = readArguments(rest, flagsByName([], command.flags), usage)
  if (given.places.length > 0) throw usageError(`cairn ${word} takes no arguments, only flags.`, usage)
  return given
}

export function serveOptions(word: 'serve' | 'up' | 'ui', rest: readonly string[]): ServeOptions {
  const given = flagsGiven(word, rest)
  const { flags } = given
  const port = flags.get('port')
  return {
    home: filled(given, 'home'),
    store: destinationHere({ store: filled(given, 'store') }).store,
    host: flags.get('host'),
    port: port === undefined ? undefined : portOf(port),
    allowRemote: flags.get('allow-remote') === 'true',
    tlsCert: flags.get('tls-cert'),
    tlsKey: flags.get('tls-key'),
    proxy: flags.get('proxy'),
    log: flags.get('log') === 'true',
  }
}

/** The flags of a line of `up` that a server which runs already was started without, or may have been. */
export function notApplied(rest: readonly string[], running: URL): string[] {
  const { flags } = flagsGiven('up', rest)
  const isSame: Readonly<Record<string, (given: string) => boolean>> = {
    port: (given) => given === '0' || given === (running.port || (running.protocol === 'https:' ? '443' : '80')),
    host: (given) => [given, `[${given}]`].includes(running.hostname),
  }
  const own = (ownCommand('up') as OwnCommand).flags.filter(({ name }) => flags.has(name))
  return own
    .filter(({ name }) => !isSame[name]?.(flags.get(name) ?? ''))
    .map(({ name, schema }) => (schema.kind === 'boolean' ? `--${name}` : `--${name} ${flags.get(name)}`))
}

function portOf(text: string): number {
  const usage = 'Give --port 0 for any free port.'
  const port = integerOf({ member: 'port', name: '--port', text, usage })
  if (isBlocked(port)) {
    const hint = 'Choose another, such as the default 4747; 0 is any free one.'
    throw usageError(`--port ${port} is blocked by browsers and by fetch, so clients could not connect.`, hint)
  }
  if (port >= 0 && port <= 65_535) return port
  throw usageError(`--port must be at most 65535, not ${port}.`, usage)
}
