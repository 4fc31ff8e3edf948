/** The client alone, for programs and pages that only call a server: `connect({ url, token })`. */

export type { FeedEvent } from '../domain/event.ts'
export type { FollowAllOptions, FollowOptions } from '../domain/following.ts'
export type { Json } from '../domain/json.ts'
export { CairnRefusal, type RefusalCode } from '../domain/refusal.ts'
export { connect } from './connect.ts'
export type { ConnectOptions } from './connection.ts'
export type { Cairn } from './interface.ts'
