import { type LocalOptions, LocalPerformer } from './client/local.ts'
import { CairnRefusal } from './domain/log/refusal.ts'
import { converse } from './surfaces/mcp/stdio/standard-streams.ts'
import { tools } from './surfaces/mcp/tools/index.ts'
import type { Profile } from './surfaces/mcp/tools/profile.ts'

export type { Profile } from './surfaces/mcp/tools/profile.ts'

export interface StdioOptions extends Omit<LocalOptions, 'waits'> {
  /** Which tools are offered. */
  readonly profile: Profile
  /** Of the program. */
  readonly version: string
}

/** Serves MCP on stdin and stdout, until the other side ends. */
export async function serveStdio({ profile, version, ...local }: StdioOptions): Promise<void> {
  await converse({ tools: tools[profile], version, report }, new LocalPerformer({ ...local, waits: 'yielding' }))
}

function report(error: unknown): void {
  const shown = error instanceof CairnRefusal ? error.message : String((error as Error)?.stack ?? error)
  process.stderr.write(`${JSON.stringify({ level: 'error', error: shown })}\n`)
}
