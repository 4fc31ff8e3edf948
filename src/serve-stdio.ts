import { type LocalOptions, LocalPerformer } from './client/local.ts'
import { defaultLimits, type Limits } from './domain/log/limits.ts'
import { CairnRefusal, Refusal } from './domain/log/refusal.ts'
import { loadConfig } from './home/config.ts'
import { type Destination, hasStore } from './home/destination.ts'
import { Resident } from './surfaces/mcp/stdio/resident.ts'
import { converse } from './surfaces/mcp/stdio/standard-streams.ts'
import { tools } from './surfaces/mcp/tools/index.ts'
import type { Profile } from './surfaces/mcp/tools/profile.ts'

export type { Profile } from './surfaces/mcp/tools/profile.ts'

export interface StdioOptions extends Omit<LocalOptions, 'waits'> {
  /** Whether the client has a session of its own: by its environment or its token. Any other joins as a child. */
  readonly isSomebody: boolean
  /** Whether it reaches all roots, and not only the one that it belongs to. */
  readonly allRoots: boolean
  /** Which tools are offered. */
  readonly profile: Profile
  /** Of the program. */
  readonly version: string
}

/** Serves MCP on stdin and stdout, until the other side ends. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { profile, version, isSomebody, allRoots, ...local } = options
  const performer = new LocalPerformer({ ...local, waits: 'yielding' })
  const resident = new Resident(performer, {
    meant: local.meant,
    isSomebody,
    allRoots,
    hasStore: () => hasStore(local),
  })
  // What cannot be settled yet is asked again with the first call.
  void resident.settle().catch(() => undefined)
  const subscriptionsMax = limitsHere(local).subscriptions
  await converse({ tools: tools[profile], version, report, subscriptionsMax }, resident)
}

/** Settings that cannot be are told with the first call. */
function limitsHere({ home, store }: Destination): Limits {
  const config = loadConfig({ home, store })
  return config instanceof Refusal ? defaultLimits : config.limits
}

function report(error: unknown): void {
  const shown = error instanceof CairnRefusal ? error.message : String((error as Error)?.stack ?? error)
  process.stderr.write(`${JSON.stringify({ level: 'error', error: shown })}\n`)
}
