import type { ContextService } from '../../../client/context/conversation.ts'
import { type ContextOptions, contextService } from '../../../client/context/open-context.ts'
import { CairnRefusal } from '../../../domain/log/refusal.ts'
import { hostHere, isGone, ownProcess } from '../../../home/process-life.ts'

/** How a process is named to those that find it writing, so that they can tell whether it is still there. */
function holderHere(): string {
  const { host, boot, space, pid, started } = ownProcess()
  return `cairn agent on ${host}, process ${pid} (${started} ${boot} ${space})`
}

const holderForm = /^cairn agent on (.+), process (\d+) \((\d*) (\S+) (\S*)\)$/

/** Makes this process the writer of a conversation. One that holds it and is certainly gone is taken over from. */
export async function agentWriter(options: ContextOptions): Promise<ContextService> {
  const asked = { ...options, holder: holderHere() }
  try {
    return await contextService(asked)
  } catch (error) {
    if (!(error instanceof CairnRefusal) || error.code !== 'held_by_other') throw error
    if (!isOfGone(error.details.holder)) throw error
    return contextService({ ...asked, takeOver: true })
  }
}

function isOfGone(holder: unknown): boolean {
  const [, host = '', pid, started = '', boot = '', space = ''] = holderForm.exec(String(holder)) ?? []
  if (pid === undefined || host !== hostHere()) return false
  return isGone({ host, pid: Number(pid), started, boot, space })
}
