import type { Operations } from './index.ts'
import type { Operation, Stream } from './operation.ts'

type InputOf<O> = O extends Stream<infer Input> ? Input : O extends Operation<infer Input, infer _Out> ? Input : never
type AnswerOf<O> = O extends Operation<infer _Input, infer Out> ? Out : never

/** What each operation takes. */
export type Inputs = {
  [Noun in keyof Operations]: { [Verb in keyof Operations[Noun]]: InputOf<Operations[Noun][Verb]> }
}

/** What each operation answers; streams have no answer of their own. */
export type Answers = {
  [Noun in keyof Operations]: { [Verb in keyof Operations[Noun]]: AnswerOf<Operations[Noun][Verb]> }
}
