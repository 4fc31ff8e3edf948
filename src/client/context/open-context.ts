import type { SecretValue } from '../../domain/conversations/secret-values.ts'
import { CairnRefusal, refuse } from '../../domain/log/refusal.ts'
import { CairnContextRepository, type ContextStore } from './cairn-repository.ts'
import { ContextService } from './conversation.ts'
import { MemoryContextRepository } from './memory-repository.ts'
import { type Claiming, WriterLease } from './writer-lease.ts'

export interface ContextOptions extends Claiming {
  /** A store that was opened, or a server that was connected to. */
  readonly cairn: ContextStore
  readonly agentName: string
  /** The instance to go on with; a new one unless given. */
  readonly instanceId?: string | undefined
  /** The session that a new instance is made below: the one that is meant unless given, and a new root where there is none. */
  readonly session?: string | undefined
  /** Values that are replaced before anything is stored: `secretsOf(process.env)`. */
  readonly secrets?: readonly SecretValue[]
  /** Whether anything is stored; as ENABLE_CONTEXT_PERSISTENCE says unless given. */
  readonly persist?: boolean | undefined
}

/** The conversation of an agent, with this process as its one writer until it is closed. */
export async function contextService(options: ContextOptions): Promise<ContextService> {
  const { cairn, agentName, secrets = [], persist = persistsHere() } = options
  if (!persist) {
    const memory = new MemoryContextRepository()
    return new ContextService(memory, (await memory.createInstance('memory', agentName)).id)
  }
  const instanceId = await instanceMeant(options)
  const lease = await WriterLease.claim(cairn, instanceId, options)
  const repository = new CairnContextRepository(cairn, { secrets, lease })
  return new ContextService(repository, instanceId, lease)
}

/** The id of the session whose conversation it is. */
async function instanceMeant({ cairn, agentName, instanceId, session }: ContextOptions): Promise<string> {
  const repository = new CairnContextRepository(cairn)
  if (instanceId !== undefined) {
    const found = await repository.getInstance(instanceId)
    if (found !== undefined) return found.id
    const hint = 'Leave out instanceId to make a new instance.'
    throw new CairnRefusal(refuse('session_not_found', `There is no instance ${instanceId}.`, hint))
  }
  const above = session ?? (await sessionMeant(cairn, agentName))
  return (await repository.createInstance(above, agentName)).id
}

async function sessionMeant({ session }: ContextStore, topic: string): Promise<string> {
  try {
    return (await session.show({})).session_id
  } catch (error) {
    if (!(error instanceof CairnRefusal) || error.code !== 'no_session') throw error
    return (await session.create({ topic })).session_id
  }
}

/** Of the process, where there is one. */
function persistsHere(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.ENABLE_CONTEXT_PERSISTENCE !== 'false'
}
