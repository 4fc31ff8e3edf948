import type { ContextService } from '../../../client/context/conversation.ts'
import { type ContextOptions, contextService } from '../../../client/context/open-context.ts'
import { CairnRefusal } from '../../../domain/log/refusal.ts'
import { holderHere, isHolderGone } from '../../../home/lease-holder.ts'

/**
 * Makes this process the writer of a conversation. One that holds it and is certainly gone is taken over from; where this process runs
 * under supervision, all before it are.
 */
export async function agentWriter(options: ContextOptions): Promise<ContextService> {
  const isSupervised = Boolean(process.env.CAIRN_RUN_ID && process.env.CAIRN_TOKEN)
  const asked = { ...options, holder: holderHere('cairn agent'), ...(isSupervised && { takeOver: true }) }
  try {
    return await contextService(asked)
  } catch (error) {
    if (!(error instanceof CairnRefusal) || error.code !== 'held_by_other') throw error
    if (!isHolderGone(String(error.details.holder))) throw error
    return contextService({ ...asked, takeOver: true })
  }
}
