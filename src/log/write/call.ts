import type { Refusal } from '../../domain/log/refusal.ts'
import type { Answer } from '../../domain/log/rows.ts'
import type { Acting, Change, Effect, Forking } from '../../operations/operation.ts'

/** One operation on its way into the log. */
export interface Called {
  readonly operation: Effect<object, Answer>
  readonly input: object
  /** Who acts; a root that is being made has number 0 and no rows yet. */
  readonly place: Acting
  readonly makesRoot: boolean
  /** The session that the token of an agent is bound to. */
  readonly agent: number | undefined
  /** The session that stands in the log as the author. */
  readonly author: number
  readonly actor: string
  readonly request: { readonly caller: string; readonly id: string; readonly fingerprint: string } | undefined
  readonly cause: string | null
  /** Whose turn it is to be answered: among those who ask for much, each gets its share. */
  readonly turn: string
}

/** A call that is decided. */
export interface Call extends Called {
  readonly operation: Change<object, Answer>
}

/** A call that is answered by a fork. */
export interface ForkCall extends Called {
  readonly forking: Forking<Answer>
}

/** What became of a call: its answer, a refusal, or the bug it met. */
export type Outcome = { answer: Answer } | { refusal: Refusal } | { bug: unknown }
