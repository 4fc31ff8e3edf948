import { systemClock } from './clock.ts'
import { SessionStateOf } from './folder/bare/session-state.ts'
import { type OpenOptions, storeOf } from './open.ts'

/** The library: `await openCairn({ home })` for a store, `connect({ url, token })` for a server. */
export * from './client/context/index.ts'
export * from './client/index.ts'
export type { SessionState } from './folder/bare/session-state.ts'
export { type OpenOptions, openCairn } from './open.ts'

/** The state of a session by its folder, with or without a store. */
export class SessionStateManager extends SessionStateOf {
  constructor(dir: string, options: OpenOptions = {}) {
    const { now, id: newId } = systemClock()
    super(dir, { reach: (folder, root) => storeOf(folder, root, options), now, newId })
  }
}
