import type { Schema } from '../../../domain/log/input-schema.ts'

export interface Flag {
  /** Without the dashes. */
  readonly name: string
  /** The member of the input that it gives; none for flags of the program itself. */
  readonly member?: string
  /** A letter that stands for it. */
  readonly short?: string
  readonly schema: Schema<unknown>
}

/** Flags of an operation's command that say how its line is read, asked or shown, and nothing to the operation. */
export type OwnFlag = 'text' | 'raw' | 'follow' | 'wait'

/** Those that were given, with their texts; of a flag without a value that is `true`. */
export type OwnGiven = ReadonlyMap<OwnFlag, string>
