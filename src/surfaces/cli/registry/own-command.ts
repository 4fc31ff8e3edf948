import type { Topic } from '../../../operations/command-line.ts'
import type { Flag } from './flag.ts'

/** A command that is no operation: all that is said of it, and what it does. */
export interface OwnCommand {
  readonly word: string
  /** What may stand after it, as its usage shows it, and how many words that are at most; nothing unless given. */
  readonly places?: { readonly shown: string; readonly max: number }
  readonly summary: string
  readonly flags: readonly Flag[]
  /** Under what help shows it to whoever asks for no command. */
  readonly topic?: Topic
  readonly examples?: readonly string[]
  /** Words that may stand first after it. `commands`: those of any command. */
  readonly firstWords?: readonly string[] | 'commands'
  /** Loads what it needs, does it, and answers with the exit code. */
  run(called: Called): Promise<number>
}

/** A line that names such a command. */
export interface Called {
  readonly command: OwnCommand
  /** What stands after its word. */
  readonly rest: readonly string[]
  readonly json: boolean
  readonly program: Program
}

/** This program: what starts it again is its file. */
export interface Program {
  readonly version: string
  readonly file: URL
}
