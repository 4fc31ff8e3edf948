import type { LocalPerformer } from '../../../client/local.ts'
import type { Answer } from '../../../domain/log/rows.ts'
import type { Answers } from '../../../operations/signatures.ts'
import type { Request } from '../request.ts'
import type { FileLimit } from '../sources.ts'
import type { View } from '../views/view.ts'
import type { OperationName } from './commands.ts'
import type { Flag } from './flag.ts'

/** What the operation of this name answers. */
export type AnswerOf<Name extends OperationName> = Name extends `${infer Noun extends keyof Answers}.${infer Verb}`
  ? Verb extends keyof Answers[Noun]
    ? Answers[Noun][Verb]
    : never
  : never

/** A line that asks an operation, and whoever answers it. */
export interface Asked {
  readonly request: Request
  readonly performer: LocalPerformer
  readonly json: boolean
}

/** What this program does for an operation besides asking it and printing the answer. */
export interface Presentation<Name extends OperationName = OperationName> {
  /** Flags that say how the line is read or the answer is shown, and nothing to the operation. */
  readonly flags?: readonly Flag[]
  /** What a value that comes from a file may be as large as; a request unless given. */
  readonly fileLimit?: FileLimit['limit']
  /** The input with what only this side knows. */
  prepare?(asked: Asked): Promise<Request['input']>
  /** Asks otherwise than once. */
  perform?(asked: Asked, input: Request['input']): Promise<Answer>
  /** With `--follow`: prints until it is interrupted, and answers with the exit code. */
  follow?(asked: Asked): Promise<number>
  /** Throws where an answer is none. */
  check?(answer: Answer, input: Request['input']): Promise<void>
  /** Loaded when there is something to show; without one, an answer is shown field by field. */
  view?(): Promise<View<AnswerOf<Name>>>
  /** The view calls sessions by their names, which are asked for then. */
  readonly callsByName?: true
}
