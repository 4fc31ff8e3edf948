/** The library: `await openCairn({ home })` for a store, `connect({ url, token })` for a server. */
export { type ConnectOptions, connect } from './client/connect.ts'
export type { Json } from './domain/json.ts'
export { CairnRefusal, type RefusalCode } from './domain/refusal.ts'
export { type Cairn, type OpenOptions, openCairn } from './open.ts'
