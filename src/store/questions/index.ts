import type { Questions } from '../../domain/log/questions.ts'
import { accessQuestions } from './access.ts'
import { blobQuestions } from './blobs.ts'
import { conversationQuestions } from './conversations.ts'
import { folderQuestions } from './folders.ts'
import { journalQuestionsText } from './journal.ts'
import { leaseQuestions } from './leases.ts'
import { logQuestions } from './log.ts'
import { runQuestions } from './runs.ts'
import { sessionQuestions } from './sessions.ts'
import { stateQuestions } from './state.ts'
import type { Text } from './text.ts'
import { workflowQuestions } from './workflow.ts'

/** The SQL of everything the store can be asked. */
export const questions: Readonly<Record<keyof Questions, Text>> = {
  ...logQuestions,
  ...sessionQuestions,
  ...stateQuestions,
  ...leaseQuestions,
  ...workflowQuestions,
  ...accessQuestions,
  ...blobQuestions,
  ...conversationQuestions,
  ...folderQuestions,
  ...runQuestions,
  ...journalQuestionsText,
}
