/** For those who write agents: the conversation of each is recorded as it happens, and rebuilt from that. */

export { type SecretValue, secretsOf } from '../../domain/conversations/secret-values.ts'
export { CairnContextRepository, type CairnRepositoryOptions, type ContextStore } from './cairn-repository.ts'
export { ContextService, type MessageOptions, type ReadOptions, type Role } from './conversation.ts'
export type { ContextMessages } from './event-messages.ts'
export { MemoryContextRepository } from './memory-repository.ts'
export { type ContextOptions, contextService } from './open-context.ts'
export type {
  AgentInstance,
  AppendedEvent,
  AppendOptions,
  ContextEvent,
  ContextEventType,
  ContextRepository,
} from './repository.ts'
