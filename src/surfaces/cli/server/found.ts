import { Refusal } from '../../../domain/log/refusal.ts'
import { loadConfig } from '../../../home/config.ts'
import { type Discovered, discover, storeName } from '../../../home/discovery.ts'
import type { AnyOperation } from '../../../operations/operation.ts'

export interface Found extends Discovered {
  readonly home: string
}

/**
 * The server that has the store of a command open, if there is one that can be asked. A file named by a command is a file here and
 * not where the server is; and the certificate of one with TLS is made out for the names of other machines.
 */
export function serverFor(
  options: { home: string | undefined; store: string | undefined },
  operation: AnyOperation,
): Found | undefined {
  const config = loadConfig(options)
  if (config instanceof Refusal || 'file' in operation.input.members) return undefined
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
