import type { Refusal } from '../../domain/log/refusal.ts'
import type { RunEnded, RunUsage } from '../../domain/runs/facts.ts'
import type { Cause, Rung } from '../../domain/workflow/facts.ts'
import type { SettledAgent } from '../../domain/workflow/settled.ts'
import type { JsonObject } from '../../json/value.ts'

/** What an adapter must know to say how an agent is run. */
export interface Beginning {
  readonly spec: SettledAgent
  readonly rung: Rung
  /** The id of the agent's session. */
  readonly session: string
  /** The id that the provider knows it by, from an earlier run. */
  readonly providerSession: string | undefined
  /** Files of the run: what it is to do, and a configuration of MCP servers that has Cairn. */
  readonly taskFile: string
  readonly mcpFile: string
  /** How this very program is started. */
  readonly cairn: readonly string[]
}

/** What is launched for a run. */
export interface Invocation {
  readonly argv: readonly string[]
  /** Variables of the server that it needs besides those that every program gets: the key of its provider. */
  readonly passes?: readonly string[]
  /** What it reads on stdin: nothing, its task, or what is written to it while it runs. */
  readonly input: 'none' | 'task' | 'held'
  /** The id that the provider will know it by, where Cairn can choose. */
  readonly providerSession?: string
  readonly model?: string
}

/** What an agent's output tells, line by line. */
export type Heard =
  /** A message of its conversation, as the provider has it. */
  | { readonly tells: 'message'; readonly message: JsonObject }
  /** What the run has used so far. */
  | { readonly tells: 'usage'; readonly usage: RunUsage }
  | { readonly tells: 'provider session'; readonly id: string }
  /** What it leaves, unless it writes something else into the file for its result. */
  | { readonly tells: 'result'; readonly text: string }
  /** It may go on then. */
  | { readonly tells: 'rate limit'; readonly retryAt: number | undefined }

/** Reads the output of one run in order. */
export interface OutputReader {
  take(line: string): readonly Heard[]
}

/** How a program has ended. */
export interface Exit {
  /** As a shell has it: 128 and the number of a signal that ended it. */
  readonly status: number
  /** The end of what it has put out. */
  readonly tail: string
  readonly now: number
}

/** What the end of a program means. */
export interface Ending {
  readonly how: RunEnded['how']
  readonly cause: Cause
  readonly reason?: string
  readonly retry_at?: number
}

/** A way to run agents. Each is one small file; the planner knows of it what `domain/workflow/adapters.ts` says. */
export interface AgentAdapter {
  invoke(beginning: Beginning): Invocation | Refusal
  /** Undefined where its output is for people only. */
  reader?(now: () => number): OutputReader
  ending(exit: Exit): Ending
}
