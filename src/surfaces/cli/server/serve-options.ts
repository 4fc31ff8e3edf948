import { destinationHere } from '../../../home/destination.ts'
import type { ServeOptions } from '../../../serve.ts'
import { isSet, type OwnArguments } from '../own-arguments.ts'
import type { OwnCommand } from '../registry/own-command.ts'
import { usageError } from '../usage.ts'
import { integerOf } from '../values.ts'
import { isBlocked } from './blocked-ports.ts'

export function serveOptions(given: OwnArguments): ServeOptions {
  const { flags, home, store } = given
  const port = flags.get('port')
  return {
    home,
    store: destinationHere({ store }).store,
    host: flags.get('host'),
    port: port === undefined ? undefined : portOf(port),
    allowRemote: isSet(given, 'allow-remote'),
    tlsCert: flags.get('tls-cert'),
    tlsKey: flags.get('tls-key'),
    proxy: flags.get('proxy'),
    log: isSet(given, 'log'),
  }
}

/** The flags of a line of `up` that a server which runs already was started without, or may have been. */
export function notApplied(command: OwnCommand, { flags }: OwnArguments, running: URL): string[] {
  const isSame: Readonly<Record<string, (given: string) => boolean>> = {
    port: (given) => given === '0' || given === (running.port || (running.protocol === 'https:' ? '443' : '80')),
    host: (given) => [given, `[${given}]`].includes(running.hostname),
  }
  return command.flags
    .filter(({ name }) => flags.has(name) && !isSame[name]?.(flags.get(name) ?? ''))
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
