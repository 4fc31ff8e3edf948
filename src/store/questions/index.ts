import type { Questions } from '../../domain/log/questions.ts'
import { accessQuestions } from './access.ts'
import { blobQuestions } from './blobs.ts'
import { conversationQuestions } from './conversations.ts'
import { leaseQuestions } from './leases.ts'
import { logQuestions } from './log.ts'
import { sessionQuestions } from './sessions.ts'
import { stateQuestions } from './state.ts'
import type { Text } from './text.ts'

/** The SQL of everything the store can be asked. */
export const questions: Readonly<Record<keyof Questions, Text>> = {
  ...logQuestions,
  ...sessionQuestions,
  ...stateQuestions,
  ...leaseQuestions,
  ...accessQuestions,
  ...blobQuestions,
  ...conversationQuestions,
}
