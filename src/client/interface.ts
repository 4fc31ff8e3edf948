import type { FeedEvent } from '../domain/log/event.ts'
import type { FollowAllOptions, FollowOptions } from '../domain/log/feed-filter.ts'
import type { Answer } from '../domain/log/rows.ts'
import type { Operations } from '../operations/index.ts'
import type { AnyAnswered, AnyStream } from '../operations/operation.ts'
import type { BlobMethods } from './blob.ts'
import { forCaller } from './for-caller.ts'
import type { CairnOperations, StateOperations, StateSetAnswer } from './generated/operations.d.ts'
import { type JournalMethods, journalMethods } from './journal-methods.ts'
import { type UpdateInput, updating } from './state-update.ts'

/** Every operation as a method, with what is made of several. */
export interface Interface extends CairnOperations, JournalMethods {
  readonly state: StateOperations & {
    /** Read, compute and write a key; tried again when somebody else was faster, so `fn` may be called several times. */
    update(input: UpdateInput): Promise<StateSetAnswer>
  }
}

/** A store that was opened, or a server that was connected to: the same can be asked of both. */
export interface Cairn extends Interface {
  /** Bytes by their hash, for what is too large for a value. */
  readonly blob: BlobMethods & Interface['blob']
  /** Every event below the root of a session after `since`, as it happens, in order, without gap or repeat. */
  follow(options?: FollowOptions & { session?: string | undefined }): AsyncGenerator<FeedEvent, void>
  /** The same of all roots of the store: each root in its order. */
  followAll(options?: FollowAllOptions): AsyncGenerator<FeedEvent, void>
  /** Ends feeds and waits, and waits for what else was asked before; whatever is asked after is refused. */
  close(): Promise<void>
}

/** What must be known of an operation to call it from afar. */
export type Called = Pick<AnyAnswered, 'name' | 'kind'>

/** The same of an operation that answers again and again. */
export interface Followed {
  readonly name: string
  readonly kind: 'stream'
  /** The only stream it shows. */
  readonly stream: string
}

/** The list of operations as a client knows it. */
export type Table = {
  readonly [Noun in keyof Operations]: {
    readonly [Verb in keyof Operations[Noun]]: Operations[Noun][Verb] extends AnyStream ? Followed : Called
  }
}

/** Whoever does what is asked. */
export interface Performer<Answered = AnyAnswered, Streamed = AnyStream> {
  execute(operation: Answered, input: unknown, signal?: AbortSignal): Promise<Answer>
  stream(operation: Streamed, input: unknown, signal: AbortSignal | undefined): AsyncGenerator<FeedEvent, void>
}

/** A list of operations by noun and verb. */
type Listed<Answered, Streamed> = Readonly<Record<string, Readonly<Record<string, Answered | Streamed>>>>

/** The methods come from a list of operations; whoever performs them is a parameter. */
export function interfaceOf<Answered extends Called, Streamed extends Pick<Followed, 'kind'>>(
  list: Listed<Answered, Streamed>,
  performer: Performer<Answered, Streamed>,
): Interface {
  const isStream = (operation: Answered | Streamed): operation is Streamed => operation.kind === 'stream'
  const nouns = Object.entries(list).map(([noun, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, operation]) => [
      verb,
      isStream(operation)
        ? (input: unknown, signal?: AbortSignal) => performer.stream(operation, input ?? {}, signal)
        : forCaller((input: unknown, signal?: AbortSignal) => performer.execute(operation, input ?? {}, signal)),
    ])
    return [noun, Object.fromEntries(methods)]
  })
  const made = Object.fromEntries(nouns) as Interface
  made.state.update = forCaller(updating(made.state))
  return Object.assign(made, journalMethods(made))
}
