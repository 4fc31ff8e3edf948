/** The library: `await openCairn({ home })` for a store, `connect({ url, token })` for a server. */
export * from './client/context/index.ts'
export * from './client/index.ts'
export { type OpenOptions, openCairn } from './open.ts'
