import type { Operations } from './index.ts'
import type { Operation } from './operation.ts'

type AnswerOf<O> = O extends Operation<infer _Input, infer Out> ? Out : never

/** What each operation answers; `scripts/generate/answers.mjs` makes JSON Schemas of it. */
export type Answers = {
  [Noun in keyof Operations]: { [Verb in keyof Operations[Noun]]: AnswerOf<Operations[Noun][Verb]> }
}
