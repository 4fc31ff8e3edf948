import { lastVersion } from '../../domain/conversations/cut.ts'
import { contextStream } from '../../domain/conversations/facts.ts'
import { aboutConversations } from '../../domain/conversations/questions.ts'
import type { Point } from '../../domain/conversations/visible/visible.ts'
import { integer, optional } from '../../domain/log/input-schema.ts'
import { givenTwice, inTheFuture, pastPlace, versionAt } from '../../domain/log/past/place.ts'
import { type Asking, ask } from '../../domain/log/questions.ts'
import { Refusal } from '../../domain/log/refusal.ts'

export const pointMember = optional(integer('As of this version of the conversation.'))

interface Meant {
  readonly point?: number | undefined
  readonly at?: number | undefined
  readonly at_time?: string | undefined
}

/** The version of a conversation that is meant, by its number or by a place of the log; the last unless one is given. */
export function* pointMeant(root: number, no: number, { point, ...meant }: Meant): Asking<Point | Refusal> {
  const last = yield* lastVersion(root, no)
  const stream = contextStream(no)
  const at = yield* pastPlace(root, meant, stream)
  if (at instanceof Refusal) return at
  if (at !== undefined && point !== undefined) return givenTwice('point and at')
  if (at !== undefined) return { version: yield* versionAt(root, stream, last, at), seq: at }
  const version = point ?? last
  if (version > last) return inTheFuture('conversation', last, version)
  const [event] = version === 0 ? [] : yield* ask(aboutConversations.context_events, root, stream, version - 1, version)
  return { version, seq: event?.seq ?? 0 }
}
