/** The client alone, for programs and pages that only call a server: `connect({ url, token })`. */

export type { FeedEvent } from '../domain/log/event.ts'
export type { FollowAllOptions, FollowOptions } from '../domain/log/feed-filter.ts'
export { CairnRefusal, type RefusalCode } from '../domain/log/refusal.ts'
export type { Json, JsonObject } from '../json/value.ts'
export type { BlobMethods, BlobRead, GetBlobInput, PutBlobInput } from './blob.ts'
export { connect } from './connect.ts'
export type { ConnectOptions } from './connection.ts'
export type * from './generated/operations.d.ts'
export type { Cairn } from './interface.ts'
export type { NewBlocker, NewDecision, StateUpdate } from './journal-methods.ts'
export type { UpdateInput } from './state-update.ts'
