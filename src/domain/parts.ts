import { accessPart } from './access/part.ts'
import { blobsPart } from './blobs/part.ts'
import { conversationsPart } from './conversations/part.ts'
import { foldersPart } from './folders/part.ts'
import { journalPart } from './journal/part.ts'
import { leasesPart } from './leases/part.ts'
import { type Part, Parts } from './log/part.ts'
import { manifestPart } from './manifest/part.ts'
import { planPart } from './plan/part.ts'
import { runsPart } from './runs/part.ts'
import { sessionsPart } from './sessions/part.ts'
import { statePart } from './state/part.ts'
import { workflowPart } from './workflow/part.ts'

/** What the product is made of: the only list. */
export const partList: readonly Part[] = [
  sessionsPart,
  statePart,
  leasesPart,
  accessPart,
  blobsPart,
  conversationsPart,
  runsPart,
  foldersPart,
  planPart,
  manifestPart,
  workflowPart,
  journalPart,
]

export const parts = new Parts(partList)
