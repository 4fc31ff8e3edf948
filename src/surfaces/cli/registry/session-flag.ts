import { optional, text } from '../../../domain/log/input-schema.ts'
import type { Flag } from './flag.ts'

/** The session that a command is about. */
export const sessionFlag: Flag = {
  name: 'session',
  member: 'session',
  schema: optional(text('The session: its id, slug or name, or the start or end of its id.')),
}
