/** The embedded library: `const cairn = await openCairn({ home })`. */
export type { Json } from './domain/json.ts'
export { CairnRefusal, type RefusalCode } from './domain/refusal.ts'
export { type Cairn, type OpenOptions, openCairn } from './open.ts'
